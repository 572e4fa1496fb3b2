import type { Query, QueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { describeLive, type LiveEntity, liveEntities } from '#contract/audit-entities.ts'
import type { EditedRecord, Editor, LiveChange } from '#contract/live.ts'
import { createListeners } from '#web/lib/listeners.ts'
import { createPacedBatches } from '#web/lib/paced-batches.ts'
import { api } from './client.ts'
import { type LiveEvent, startLive } from './live-stream.ts'
import { getSession, getUserId } from './session.ts'
import { tabId } from './tab.ts'

/** The `meta` of queries for any list page but the first. */
export const laterPage = { isLaterPage: true }

/** The `meta` of queries that show fewer kinds of records than their domain does. */
export const showsOnly = (shows: readonly LiveEntity[]) => ({ shows })

/** How often an open form reports that it is open; the server forgets it after 45 seconds. */
const EDITING_EVERY_MS = 20_000

const { subscribe, notify } = createListeners<[event: LiveEvent]>()

/**
 * Keeps the screen up to date: refetches the queries that others' changes affect. Changes made in this tab are skipped,
 * because it shows them anyway. Returns a function that stops following.
 */
export function followChanges(queryClient: QueryClient): () => void {
  // A hidden tab refetches later, when it is looked at.
  const refetch = (isOutdated: (query: Query) => boolean) =>
    queryClient.invalidateQueries({
      predicate: isOutdated,
      refetchType: document.hidden ? 'none' : 'active',
    })

  const update = createPacedBatches(async (changes: readonly LiveChange[]) => {
    notify({ event: 'changes', data: [...changes] })
    const isOutdated = ({ queryKey: [domain], meta }: Query) => {
      const shown = changes.filter(
        ({ entity }) =>
          describeLive(entity).domains.some((one) => one === domain) &&
          (!Array.isArray(meta?.shows) || meta.shows.includes(entity)),
      )
      // On a later list page, new records (version 1) would only shift the rows, as any change does in the history.
      if (meta === laterPage) return domain !== 'audit' && shown.some(({ version }) => version !== 1)
      return shown.length > 0
    }
    // What is being fetched may lack the changes, but if it were cancelled, a slow screen would never be updated.
    await queryClient.refetchQueries(
      { predicate: (query) => query.state.fetchStatus === 'fetching' && isOutdated(query) },
      { cancelRefetch: false },
    )
    await refetch(isOutdated)
  })

  return startLive((event) => {
    if (event.event === 'changes') {
      // A server that has been updated since the page was loaded may send other kinds of records.
      const ofOthers = event.data.filter(({ tab, entity }) => tab !== tabId && liveEntities.includes(entity))
      if (ofOthers.length > 0) update(ofOthers)
      return
    }
    notify(event)
    if (event.event === 'missed') void refetch(() => true)
  })
}

/** Calls `onChanges` with what others have changed, before the screen refetches it. */
export function useLiveChanges(onChanges: (changes: readonly LiveChange[]) => void): void {
  const latest = useRef(onChanges)
  useEffect(() => {
    latest.current = onChanges
  })
  useEffect(() => subscribe((event) => event.event === 'changes' && latest.current(event.data)), [])
}

/** Reports to the server that the record is open in a form, and returns the other people who have it open. */
export function useEditors(entity: LiveEntity | undefined, id: string | undefined): readonly Editor[] {
  const [editors, setEditors] = useState<readonly Editor[]>([])
  useEffect(() => {
    if (entity === undefined || id === undefined) return
    const self = getUserId(getSession())
    const show = (all: readonly Editor[]) => setEditors(all.filter(({ _id }) => _id !== self))
    const tell = (record: EditedRecord | null) => api('live', 'edit', { body: { record } })
    // Failures are ignored: knowing who else edits is useful, but not worth an error message.
    const say = () => {
      said = said
        .then(() => tell({ entity, id }))
        .then(
          ({ data }) => show(data.editors),
          () => undefined,
        )
    }
    let said: Promise<unknown> = Promise.resolve()
    /** At most once between two reports, as the server also forgets the oldest of very many forms. */
    let isAnnouncedAgain = false
    say()
    const timer = setInterval(() => {
      isAnnouncedAgain = false
      say()
    }, EDITING_EVERY_MS)
    const stop = subscribe((event) => {
      if (event.event === 'missed') say()
      if (event.event !== 'editing' || event.data.entity !== entity || event.data.id !== id) return
      show(event.data.editors)
      // Browsers run the timers of a hidden tab too seldom, so the server has forgotten this form.
      if (isAnnouncedAgain || event.data.editors.some(({ _id }) => _id === self)) return
      isAnnouncedAgain = true
      say()
    })
    return () => {
      clearInterval(timer)
      stop()
      // Sent after the pending reports, and not when the form was closed by signing out.
      void said.then(() => getSession() && tell(null).catch(() => undefined))
    }
  }, [entity, id])
  return editors
}
