import { useEffect, useMemo, useRef, useState } from 'react'
import type { LiveEntity } from '#contract/live-entities.ts'
import { useLiveChanges } from '#web/api/live.ts'

/** The most rows that a list gives at once. */
const MAX_ROWS = 100
/** More new records than these are shown without being asked for. */
const MAX_HELD = 50
const MARKED_MS = 4_000
/** Screen readers hear of changed rows at this pace at most. */
const SAID_EVERY_MS = 10_000

/** Rows that have just changed, by id. */
export type Marks = { ids: ReadonlySet<string>; isSaid: boolean }

const noMarks: Marks = { ids: new Set(), isSaid: false }

/** Marks the rows that others change, for a moment, once what has changed of them is there. */
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
    const isSaid = performance.now() - saidAt.current > SAID_EVERY_MS
    if (isSaid) saidAt.current = performance.now()
    setMarks({ ids: new Set(ids), isSaid })
  }

  // What was asked for again has come.
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
  entity: LiveEntity | undefined
  /** Of the list with its filters, order and page: another one begins anew. */
  list: string
  pageNumber: number
  pageSize: number
}

/**
 * Keeps rows where they are while others add records: on the first page new ones are held back until they are asked for.
 * They are among the rows that the server gives, so that one that does not match the filters is not counted.
 */
export function useHeldBack({ entity, list, pageNumber, pageSize }: LiveRowsOptions) {
  // Changed in place: the next request has to know at once.
  // oxlint-disable-next-line react/exhaustive-deps -- one for each list
  const held = useMemo(() => new Set<string>(), [list])
  const known = useRef<ReadonlySet<string>>(new Set())
  const [, redraw] = useState(0)

  useLiveChanges((changes) => {
    if (pageNumber > 1) return
    for (const { entity: of, id, version } of changes) {
      if (of === entity && version === 1 && id !== undefined && !known.current.has(id)) held.add(id)
    }
    if (held.size > MAX_HELD) held.clear()
  })

  const isHeld = (id: string) => held.has(id)

  return {
    entity,
    pageSize,
    isHeld,
    /** How many rows to ask for, so that a page is whole without those that are held back. */
    countRows: () => Math.min(MAX_ROWS, pageSize + held.size),
    /** What is drawn is not new any more. */
    setKnown: (ids: ReadonlySet<string>) => {
      known.current = ids
      for (const id of ids) held.delete(id)
    },
    release: () => {
      held.clear()
      redraw((count) => count + 1)
    },
  }
}

/** The rows to draw of those that came, which of them have just changed, and how many new ones are held back. */
export function useShownRows<Row>(
  { entity, pageSize, isHeld, setKnown, release }: ReturnType<typeof useHeldBack>,
  rows: readonly Row[] | undefined,
  updatedAt: number,
) {
  const newIds = (rows ?? []).map(toId).filter(isHeld)
  // In a list that was empty nothing is moved.
  const holdsBack = newIds.length < (rows?.length ?? 0)
  const shown = (holdsBack ? rows?.filter((row) => !isHeld(toId(row))) : rows)?.slice(0, pageSize)
  const shownIds = shown?.map(toId) ?? []
  const { marks, mark } = useMarks(entity, shownIds, updatedAt)
  useEffect(() => setKnown(new Set(shownIds)))
  return {
    rows: shown,
    marks,
    newRecords: {
      entity,
      count: holdsBack ? newIds.length : 0,
      show: () => {
        release()
        mark(newIds)
      },
    },
  }
}

/** Every record of a list has an id; the compiler does not see it of rows of any list. */
function toId(row: unknown): string {
  return (row as { _id: string })._id
}
