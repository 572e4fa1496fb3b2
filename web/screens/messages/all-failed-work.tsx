import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_PAGE_SIZE } from '#contract/page-size.ts'
import { ApiError } from '#web/api/api-error.ts'
import { api } from '#web/api/client.ts'
import { useMay } from '#web/api/may.ts'
import { subscribePerson } from '#web/api/session.ts'
import { showFailedAction } from '#web/components/failed-action.ts'
import { toCounted, toCountText } from '#web/lib/format.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { IconRefresh, IconX } from '#web/ui/icons/icons.tsx'
import { showProgress, showSuccess } from '#web/ui/toasts/toasts.ts'
import { ListHead } from './list-head.tsx'

/** Few enough that a request takes less than a second, and holds up nobody else for longer. */
const BATCH_SIZE = 20

const words = {
  retrySeveral: { doing: 'Trying again what failed', done: 'tried again' },
  dismiss: { doing: 'Dismissing what failed', done: 'dismissed' },
}

/** Tries again or dismisses all failures that the search finds, as after hours without a mail server. */
export function AllFailedWork({ count, search }: { count: number; search: string }) {
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const { running, runForAll } = useRunForAll(search)
  const isOffered = count > 1 || running !== undefined
  return (
    <ListHead title="Given up">
      {isOffered && may.call('failedJobs.retrySeveral') && (
        <div>
          <Button
            icon={<IconRefresh size={16} />}
            loading={running === 'retrySeveral'}
            disabled={running !== undefined}
            onClick={() => void runForAll('retrySeveral')}
          >
            {search === '' ? 'Try all again' : 'Try all found again'}
          </Button>{' '}
          <Button
            icon={<IconX size={16} />}
            loading={running === 'dismiss'}
            disabled={running !== undefined}
            onClick={() => setAsking(true)}
          >
            {search === '' ? 'Dismiss all' : 'Dismiss all found'}
          </Button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Dismiss failed work"
          confirmLabel="Dismiss"
          danger
          icon={<IconX size={16} />}
          consequence="It is not tried again from here. Mails and deliveries stay in their own lists, from where they can be sent."
          onConfirm={() => void runForAll('dismiss')}
          onClose={() => setAsking(false)}
        >
          Dismiss {toCounted(count, 'failure', 'failures')}?
        </ConfirmDialog>
      )}
    </ListHead>
  )
}

function useRunForAll(search: string) {
  const queryClient = useQueryClient()
  const [running, setRunning] = useState<keyof typeof words>()

  async function runForAll(action: keyof typeof words) {
    const abort = new AbortController()
    const stopFollowing = subscribePerson(() => abort.abort())
    const progress = showProgress(words[action].doing, { onCancel: () => abort.abort() })
    setRunning(action)
    let done = 0
    try {
      const ids = await listIds(search, abort.signal)
      for (let first = 0; first < ids.length; first += BATCH_SIZE) {
        progress.update(`${toCountText(done)} of ${toCountText(ids.length)}`)
        const body = { ids: ids.slice(first, first + BATCH_SIZE) }
        done += await send(action, body, abort.signal)
      }
      showSuccess(`${toCounted(done, 'failure was', 'failures were')} ${words[action].done}`)
    } catch (error) {
      if (!abort.signal.aborted) showFailedAction(error, () => void runForAll(action))
    } finally {
      stopFollowing()
      progress.close()
      setRunning(undefined)
      const changed = ['failedJobs', 'mails', 'deliveries', 'dashboard']
      await Promise.all(changed.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
    }
  }

  return { running, runForAll }
}

/** Returns how many were changed: none when a colleague was faster. */
async function send(action: keyof typeof words, body: { ids: string[] }, signal: AbortSignal): Promise<number> {
  try {
    return (await api('failedJobs', action, { body, signal })).data.count
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return 0
    throw error
  }
}

/** Returns the ids of all failures of a search before any is changed, as some fail again at once. */
async function listIds(search: string, signal: AbortSignal): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const query = { search, page, limit: MAX_PAGE_SIZE, sort: 'failedAt' } as const
    const { data } = await api('failedJobs', 'list', { query, signal })
    ids.push(...data.map(({ _id }) => _id))
    if (data.length < MAX_PAGE_SIZE) return ids
  }
}
