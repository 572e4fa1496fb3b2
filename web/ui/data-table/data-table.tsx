import { type ComponentType, type ReactNode, type Ref, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { classNames } from '../class-names.ts'
import type { Problem } from '../problem.ts'
import { EmptyRegion, EmptyState, ErrorState } from '../state-messages/state-messages.tsx'
import { useIsTooNarrowForTables } from '../use-media.ts'
import { Announcement } from '../visually-hidden/visually-hidden.tsx'
import { RowCards } from './data-table-cards.tsx'
import {
  type Column,
  type RowAction,
  type RowProps,
  type Sort,
  toColumnChoices,
  toSortedText,
  toWidths,
} from './data-table-columns.ts'
import { Cells, PlainRow, RowActions, SkeletonRow, SortHeader } from './data-table-parts.tsx'
import styles from './data-table.module.css'
import { openRows } from './open-rows.ts'

export type DataTableProps<Row> = {
  /** What the table lists, for screen readers: 'Pods'. */
  label: string
  columns: readonly Column<Row>[]
  /** Undefined while the first page loads. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** Returns the row's name, for the names of its actions: 'Seaside pod'. */
  rowName: (row: Row) => string
  rowActions?: (row: Row, index: number) => readonly RowAction[]
  /** Number of skeleton rows, shown while the first page loads or, with `refreshing`, instead of the old rows. */
  skeletonRows?: number
  refreshing?: boolean
  /** Another page is loading; the old one stays, with a line running along its top. */
  busy?: boolean
  empty?: ReactNode
  problem?: Problem | null | undefined
  onRetry?: () => void
  sort?: Sort | undefined
  onSort?: (sort: Sort) => void
  /** Keys of rows that have just changed, which are highlighted for a moment. */
  marked?: ReadonlySet<string>
  /** Draws a row; for rows that can be sorted by hand (sortable-list.tsx). */
  RowComponent?: ComponentType<RowProps>
}

/** How much narrower a column's padding is in the tight layout; must match data-table.module.css. */
const TIGHT_SAVES_PX = 8

/** With its padding, has room for any word but very long ones. */
const NAME_WIDTH = 108

// At the end, the scroll position can be off by a fraction of a pixel.
const SCROLL_SLACK_PX = 1

/** Returns the first of these widths, from the widest, for which there is room; or their number if there is for none. */
function useRoom(widths: readonly number[]): [Ref<HTMLDivElement>, number] {
  const box = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(0)
  const listed = widths.join()
  useEffect(() => {
    const node = box.current
    if (!node || typeof ResizeObserver === 'undefined') return
    // Set on the element itself: as state, each step of a scroll would render the table again.
    const markEnd = () => {
      const left = node.scrollWidth - node.clientWidth - node.scrollLeft
      node.toggleAttribute('data-at-end', left <= SCROLL_SLACK_PX)
    }
    const observer = new ResizeObserver(() => {
      // Flushed before the browser paints: otherwise the table would overlap its neighbours for one frame.
      const { clientWidth } = node
      const all = listed.split(',')
      const first = all.findIndex((width) => clientWidth >= Number(width))
      flushSync(() => setRoom(first === -1 ? all.length : first))
      markEnd()
    })
    observer.observe(node)
    node.addEventListener('scroll', markEnd, { passive: true })
    return () => {
      observer.disconnect()
      node.removeEventListener('scroll', markEnd)
    }
  }, [listed])
  return [box, room]
}

export function DataTable<Row>(given: DataTableProps<Row>) {
  const props = withoutHidden(given)
  const areCards = useIsTooNarrowForTables()
  const { rows, problem, refreshing = false, busy = false } = props
  const loading = rows === undefined || refreshing
  if (problem && !rows) {
    const title = `${props.label} could not be loaded`
    return <Frame body={<ErrorState {...{ title, problem }} onRetry={props.onRetry} />} />
  }
  const isEmpty = !loading && rows.length === 0
  const Rows = areCards ? RowCards : WideTable
  return (
    <>
      {problem && <ErrorState outdated problem={problem} onRetry={props.onRetry} retrying={busy} />}
      <Announcement>{loading && `Loading ${props.label}`}</Announcement>
      <EmptyRegion>{isEmpty && <Frame body={props.empty ?? <EmptyState>Nothing here yet.</EmptyState>} />}</EmptyRegion>
      {!isEmpty && <Rows {...props} rows={loading ? undefined : rows} busy={busy || loading} />}
    </>
  )
}

/** Removes hidden actions, and the column of actions if no row has any. */
function withoutHidden<Row>({ rowActions, ...props }: DataTableProps<Row>): DataTableProps<Row> {
  if (!rowActions) return props
  const toShown = (row: Row, index: number) => rowActions(row, index).filter(({ hidden }) => !hidden)
  const isEmpty = props.rows !== undefined && props.rows.every((row, index) => toShown(row, index).length === 0)
  return isEmpty ? props : { ...props, rowActions: toShown }
}

function Frame({ body }: { body: ReactNode }) {
  return <div className={styles.frame}>{body}</div>
}

function WideTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, rowKey, rowName, rowActions, skeletonRows = 5, busy, sort, onSort, marked } = props
  const [sorted, setSorted] = useState<string>()
  const { RowComponent = PlainRow } = props
  const choices = useMemo(() => toColumnChoices(props.columns), [props.columns])
  const toLayout = (columns: readonly Column<Row>[], isTight: boolean, areActionsInMenu = false) => {
    // Only what keeps all columns in place is worth narrower names.
    const leastFlexible = isTight && columns === props.columns ? 0 : NAME_WIDTH
    const less = { savedPx: isTight ? TIGHT_SAVES_PX : 0, leastFlexible, areActionsInMenu }
    return {
      columns,
      isTight,
      areActionsInMenu,
      ...toWidths(columns, rows, rowActions, less),
    }
  }
  const widest = toLayout(props.columns, false)
  const layouts = [
    widest,
    ...choices.map((columns) => toLayout(columns, true)),
    toLayout(choices.at(-1) ?? props.columns, true, rowActions !== undefined),
  ]
  const [box, room] = useRoom(layouts.map(({ minWidth }) => minWidth))
  const overflows = room === layouts.length
  const { columns, isTight, areActionsInMenu, widths, minWidth, actionsWidth } =
    layouts[room] ?? layouts.at(-1) ?? widest
  return (
    <div
      ref={box}
      className={styles.frame}
      data-busy={(busy && rows !== undefined) || undefined}
      data-overflows={overflows || undefined}
      // A scrollable element must be reachable by keyboard and have a name.
      {...(overflows ? { role: 'group', 'aria-label': `${label}, scrolls sideways`, tabIndex: 0 } : {})}
    >
      <table
        className={styles.table}
        aria-label={label}
        aria-busy={busy}
        data-tight={isTight || undefined}
        style={{ minWidth }}
      >
        <colgroup>
          {columns.map(({ key }, index) => (
            <col key={key} style={{ width: widths[index] }} />
          ))}
          {rowActions && <col style={{ width: actionsWidth }} />}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => (
              <SortHeader
                key={column.key}
                column={column}
                sort={sort}
                onSort={
                  onSort &&
                  ((next) => {
                    setSorted(toSortedText(column, next))
                    onSort(next)
                  })
                }
              />
            ))}
            {rowActions && (
              <th scope="col" className={styles.pinned}>
                Operations
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={openRows}>
          {rows === undefined
            ? Array.from({ length: skeletonRows }, (_, index) => (
                <SkeletonRow key={index} index={index} columns={columns} withActions={rowActions !== undefined} />
              ))
            : rows.map((row, index) => (
                <RowComponent
                  key={rowKey(row)}
                  rowKey={rowKey(row)}
                  as="tr"
                  className={classNames(styles.row, marked?.has(rowKey(row)) && styles.marked)}
                >
                  <Cells columns={columns} row={row} />
                  {rowActions && (
                    <td className={styles.pinned}>
                      <RowActions actions={rowActions(row, index)} rowName={rowName(row)} inMenu={areActionsInMenu} />
                    </td>
                  )}
                </RowComponent>
              ))}
        </tbody>
      </table>
      <Announcement>{sorted}</Announcement>
    </div>
  )
}
