import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AuditEntity } from '#contract/audit-entities.ts'
import { isUndoable } from '#contract/audit-rules.ts'
import type { Change } from '#contract/audit.ts'
import { api } from '#web/api/client.ts'
import { useMay } from '#web/api/may.ts'
import { getUserId, useSession } from '#web/api/session.ts'
import { NewRecords } from '#web/components/record-list/new-records.tsx'
import { undoChange } from '#web/components/undo.ts'
import { Unloaded } from '#web/components/unloaded.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { SkeletonLines } from '#web/ui/skeleton/skeleton.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { ChangeItem } from './change-item.tsx'
import styles from './history-dialog.module.css'

const PAGE_SIZE = 20

export type HistoryOf = {
  entity: AuditEntity
  /** Left out for entities that have only one record. */
  id?: string | undefined
  name: string
}

/** Every change of one record, newest first (rules §25.2). The latest one can be undone here too. */
export function HistoryDialog({ of: { entity, id, name }, onClose }: { of: HistoryOf; onClose: () => void }) {
  const may = useMay()
  const history = useInfiniteQuery({
    queryKey: ['audit', 'history', entity, id],
    queryFn: ({ pageParam, signal }) =>
      api('audit', 'history', { query: { entity, id, page: pageParam, limit: PAGE_SIZE }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ total = 0 }, pages) => (pages.length * PAGE_SIZE < total ? pages.length + 1 : undefined),
  })
  // Without duplicates: a change made meanwhile moves others to the next page.
  const loaded = history.data?.pages.flatMap(({ data }) => data)
  const changes = loaded && [...new Map(loaded.map((change) => [change._id, change])).values()]
  const latest = changes?.find(({ version }) => version !== null)

  // What others change meanwhile is held back, so that nothing moves under the reader.
  const myId = getUserId(useSession())
  const [newestId, setNewestId] = useState<string>()
  if (newestId === undefined && changes?.[0]) setNewestId(changes[0]._id)
  const newestIndex = changes?.findIndex(({ _id }) => _id === newestId) ?? -1
  const held = changes?.filter(({ actor }, index) => index < newestIndex && actor._id !== myId) ?? []

  return (
    <Dialog title={`History of ${name}`} width={720} onClose={onClose}>
      {!changes && (
        <Unloaded query={history}>
          <SkeletonLines count={6} />
        </Unloaded>
      )}
      {changes?.length === 0 && (
        <EmptyState>
          No changes are recorded: payments, what other systems have stored, and what is older than the history are not
          in it.
        </EmptyState>
      )}
      <NewRecords nouns={['change', 'changes']} count={held.length} show={() => setNewestId(undefined)} />
      {changes && changes.length > 0 && (
        <ol className={styles.list} aria-label="Changes" aria-busy={history.isFetching}>
          {changes
            .filter((change) => !held.includes(change))
            .map((change) => (
              <li key={change._id}>
                <ChangeItem
                  change={change}
                  action={change === latest && isUndoable(change) && may.undo(change) && <UndoButton change={change} />}
                />
              </li>
            ))}
        </ol>
      )}
      {history.hasNextPage && (
        <Button loading={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          {history.isFetchNextPageError ? 'Not loaded: try again' : 'Load more'}
        </Button>
      )}
    </Dialog>
  )
}

function UndoButton({ change }: { change: Change }) {
  const [isPending, setPending] = useState(false)
  return (
    <Button
      size="small"
      loading={isPending}
      onClick={() => {
        setPending(true)
        void undoChange({ id: change._id, scope: undefined }, change.entityId ?? undefined).finally(() =>
          setPending(false),
        )
      }}
    >
      Undo this
    </Button>
  )
}
