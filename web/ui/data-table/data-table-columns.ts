import type { ReactNode } from 'react'

/** One column, declared as a constant beside the screen. */
export type Column<Row> = {
  key: string
  header: string
  /** What the cell shows; text is cut with an ellipsis and whole on hover. Without it, `text` is shown. */
  render?: (row: Row) => ReactNode
  /** The cell in plain words, for the hover. */
  text?: (row: Row) => string
  /** Numbers to the end, so that their digits stand under each other. */
  align?: 'start' | 'center' | 'end'
  /** Px; without it the column shares what is left, but has at least `minWidth` (default 120). */
  width?: number
  minWidth?: number
  mono?: boolean
  /** In place of a bar while it loads, where the cell is no line of words. */
  skeleton?: ReactNode
  /** Long words go on in a second line, for which a row has room, before they are cut. */
  wraps?: boolean
  sortable?: boolean
  hideOnPhone?: boolean
  /**
   * In a phone's card: the heading (default: the first column), at the top right, the image at the left, or a fact
   * that needs no header before it.
   */
  phone?: 'title' | 'aside' | 'media' | 'line'
}

export type RowAction = {
  label: string
  icon: ReactNode
  onSelect: () => void
  /** Drawn last and apart. */
  danger?: boolean
  /** Needed seldom: it is in a menu of the row, so that what is needed often has room. */
  seldom?: boolean
  disabled?: boolean
  /** Not for this person: it is not drawn. */
  hidden?: boolean
  /** Why this cannot be chosen in this row. It stays in reach, so that the reason can be read. */
  unavailable?: string | undefined
  loading?: boolean
}

export type Sort = { key: string; direction: 'asc' | 'desc' }

/** What a component that draws a row gets; it puts everything but `as` and `rowKey` on the element. */
export type RowProps = {
  as: 'tr' | 'li'
  rowKey: string
  className: string
  children: ReactNode
}

const FLEXIBLE_MIN_WIDTH = 120
const ACTION_WIDTH = 34
const CELL_PADDING = 32
const OPERATIONS_HEADER_WIDTH = 100

/** Column widths in px (undefined shares the rest), and the width below which the table scrolls. */
export function toWidths<Row>(
  columns: readonly Column<Row>[],
  withActions: boolean,
  firstRow: Row | undefined,
  rowActions: ((row: Row, index: number) => readonly RowAction[]) | undefined,
) {
  const widths = columns.map((column) => column.width)
  const actionCount = firstRow !== undefined && rowActions ? countButtons(rowActions(firstRow, 0)) : 3
  const actionsWidth = withActions ? Math.max(OPERATIONS_HEADER_WIDTH, actionCount * ACTION_WIDTH + CELL_PADDING) : 0
  const minWidth = columns.reduce(
    (sum, column) => sum + (column.width ?? column.minWidth ?? FLEXIBLE_MIN_WIDTH),
    actionsWidth,
  )
  return { widths, minWidth, actionsWidth }
}

/** The menu is one of them. */
function countButtons(actions: readonly RowAction[]): number {
  const seldom = actions.filter((action) => action.seldom).length
  return actions.length - seldom + Math.min(seldom, 1)
}

/** The direction that a click on a header asks for: ascending first, then the other way. */
export function toNextSort(key: string, sort: Sort | undefined): Sort {
  return { key, direction: sort?.key === key && sort.direction === 'asc' ? 'desc' : 'asc' }
}
