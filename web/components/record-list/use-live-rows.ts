import { useEffect, useMemo, useRef, useState } from 'react'
import type { LiveEntity } from '#contract/audit-entities.ts'
import { useLiveChanges } from '#web/api/live.ts'

/** The most rows that the server returns in one list page. */
const MAX_ROWS = 100
/** If there are more new records than this, none are held back. */
const MAX_HELD = 50
const MARKED_MS = 4_000
/** Minimum time between announcements of changed rows to screen readers. */
const SAID_EVERY_MS = 10_000

/** Ids of the rows that have just changed, and whether to announce them. */
export type Marks = { ids: ReadonlySet<string>; isAnnounced: boolean }

const noMarks: Marks = { ids: new Set(), isAnnounced: false }

/** Marks rows that others have changed, for a moment, once their new values have loaded. */
export function useMarks(entity: LiveEntity | undefined, shown: readonly string[], updatedAt: number) {
  const changed = useRef(new Set<string>())
  const markedAt = useRef(updatedAt)
  const saidAt = useRef(Number.NEGATIVE_INFINITY)
  const [marks, setMarks] = useState(noMarks)

  useLiveChanges((changes) => {
    for (const { entity: of, id } of changes) {
      if (of === entity && id !== undefined && shown.includes(id)) changed.current.add(id)
    }
  })

  function mark(ids: Iterable<string>) {
    const isAnnounced = performance.now() - saidAt.current > SAID_EVERY_MS
    if (isAnnounced) saidAt.current = performance.now()
    setMarks({ ids: new Set(ids), isAnnounced })
  }

  // The rows have been reloaded.
  useEffect(() => {
    if (updatedAt === markedAt.current) return
    markedAt.current = updatedAt
    if (changed.current.size > 0) mark(changed.current)
    changed.current.clear()
  })

  useEffect(() => {
    if (marks === noMarks) return
    const timer = setTimeout(() => setMarks(noMarks), MARKED_MS)
    return () => clearTimeout(timer)
  }, [marks])

  return { marks, mark }
}

type LiveRowsOptions = {
  /** Undefined when hints do not say which rows are new, as with changes: those above the first known one are. */
  entity: LiveEntity | undefined
  /** Identifies the list with its filters, order and page. When it changes, nothing is held back any more. */
  list: string
  pageNumber: number
  pageSize: number
}

/**
 * Keeps rows in place while others add records: on the first page, new records are held back until they are asked for.
 * The rows from the server contain them, so that a new record that does not match the filters is not counted.
 */
export function useHeldBack({ entity, list, pageNumber, pageSize }: LiveRowsOptions) {
  // Mutated in place, because the next request has to know at once.
  // oxlint-disable-next-line react/exhaustive-deps -- one for each list
  const state = useMemo(() => ({ held: new Set<string>(), known: new Set<string>(), hints: 0 }), [list])
  const { held } = state
  const [, redraw] = useState(0)

  useLiveChanges((changes) => {
    if (pageNumber > 1) return
    state.hints = Math.min(MAX_HELD, state.hints + changes.length)
    for (const { entity: of, id, version } of changes) {
      if (of === entity && version === 1 && id !== undefined && !state.known.has(id)) held.add(id)
    }
    if (held.size > MAX_HELD) held.clear()
  })

  return {
    entity,
    pageSize,
    /** Returns which of the rows are held back. */
    listHeld: (ids: readonly string[]) => {
      if (entity !== undefined) return ids.filter((id) => held.has(id))
      const firstKnown = ids.findIndex((id) => state.known.has(id))
      return state.hints === 0 || firstKnown < 0 ? [] : ids.slice(0, firstKnown)
    },
    /** Returns how many rows to request, so that a page is full even without those that are held back. */
    countRows: () => Math.min(MAX_ROWS, pageSize + (entity === undefined ? state.hints : held.size)),
    /** Takes the ids of the rows that are shown, which are then no longer new. */
    setKnown: (ids: readonly string[]) => {
      state.known = new Set(ids)
      for (const id of ids) held.delete(id)
    },
    release: () => {
      held.clear()
      state.hints = 0
      redraw((count) => count + 1)
    },
  }
}

/** Returns the rows to show, which of them have just changed, and how many new ones are held back. */
export function useShownRows<Row>(
  { entity, pageSize, listHeld, setKnown, release }: ReturnType<typeof useHeldBack>,
  rows: readonly Row[] | undefined,
  { updatedAt, areOfThisList }: { updatedAt: number; areOfThisList: boolean },
) {
  const newIds = listHeld((rows ?? []).map(toId))
  // If all rows are new the list was empty, and there is nothing that could move.
  const holdsBack = newIds.length < (rows?.length ?? 0)
  const shown = (holdsBack ? rows?.filter((row) => !newIds.includes(toId(row))) : rows)?.slice(0, pageSize)
  const shownIds = shown?.map(toId) ?? []
  const { marks, mark } = useMarks(entity, shownIds, updatedAt)
  // The rows of the previous list stay until those of this one have loaded.
  useEffect(() => {
    if (areOfThisList) setKnown(shownIds)
  })
  return {
    rows: shown,
    marks,
    newRecords: {
      count: holdsBack ? newIds.length : 0,
      show: () => {
        release()
        mark(newIds)
      },
    },
  }
}

/** Casts, because the compiler cannot see that the rows of every list have an id. */
function toId(row: unknown): string {
  return (row as { _id: string })._id
}
