import type { ReactNode } from 'react'
import { textScale } from '../text-scale.ts'

/** A column, declared as a constant outside of the screen's component. */
export type Column<Row> = {
  key: string
  header: string
  /** Renders the cell's content; text is cut off with an ellipsis and shown whole on hover. Defaults to `text`. */
  render?: (row: Row) => ReactNode
  /** Returns the cell's content as plain text, for the hover. */
  text?: (row: Row) => string
  /** Use 'end' for numbers, so that their digits line up. They are never cut off: their column widens for long ones. */
  align?: 'end'
  /** In px at the usual text size. Without it the column shares the remaining width, but has at least `minWidth` (default 120). */
  width?: number
  minWidth?: number
  mono?: boolean
  /** Replaces the grey bar while loading, for cells that are not a line of text. */
  skeleton?: ReactNode
  /**
   * Wraps long text to a second line, for which a row has room, before it is cut off; or to a third line, which makes
   * its row higher, for names in a narrow column.
   */
  wraps?: boolean | 'to three lines'
  sortable?: boolean
  /** Also left out of a table that would have to scroll sideways otherwise, as on a tablet. */
  hideOnPhone?: boolean
  /** Wraps to as many lines as a phone's card needs, where nothing shows the whole on hover. */
  wholeOnPhone?: boolean
  /**
   * Place in a phone's card: the heading (default: the first column), the top right, the image at the left, or a fact
   * that needs no header before it.
   */
  phone?: 'title' | 'aside' | 'media' | 'line'
}

export type RowAction = {
  label: string
  icon: ReactNode
  onSelect: () => void
  /** Drawn last, apart from the others. */
  danger?: boolean
  /** Rarely needed: goes into a menu of the row, to leave room for the other actions. */
  seldom?: boolean
  disabled?: boolean
  /** Not drawn, because this person may not do it. */
  hidden?: boolean
  /** Why the action is unavailable in this row. It can still get the focus, so that the reason can be read. */
  unavailable?: string | undefined
  loading?: boolean
}

export type Sort = { key: string; direction: 'asc' | 'desc' }

/** Props of a component that draws a row; it passes everything but `as` and `rowKey` on to the element. */
export type RowProps = {
  as: 'tr' | 'li'
  rowKey: string
  className: string
  children: ReactNode
}

const FLEXIBLE_MIN_WIDTH = 120
/** Each digit's width, and what is added for the cell's padding, less what spaces and points are narrower than digits. */
const DIGIT_WIDTH = 8.5
const NUMBER_PADDING = 15
/** How much more padding the first column has; must match data-table.module.css. */
const FIRST_PADDING = 4
const ACTION_WIDTH = 34
const CELL_PADDING = 32
const OPERATIONS_HEADER_WIDTH = 100

/** Returns the column widths in px (undefined shares the rest), and the least width of the table. */
export function toWidths<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[] = [],
  rowActions?: (row: Row, index: number) => readonly RowAction[],
  { savedPx = 0, leastFlexible = 0, areActionsInMenu = false } = {},
) {
  const widths = columns.map((column, index) => {
    if (column.width === undefined) return undefined
    const padding = NUMBER_PADDING + (index === 0 ? FIRST_PADDING : 0)
    const least = column.align === 'end' ? toLongest(column, rows) * DIGIT_WIDTH + padding : 0
    return Math.max(column.width, least) * textScale - savedPx
  })
  const [firstRow] = rows
  const buttonCount = firstRow !== undefined && rowActions ? countButtons(rowActions(firstRow, 0)) : 3
  const actionCount = areActionsInMenu ? 1 : buttonCount
  const leastActions = Math.max(OPERATIONS_HEADER_WIDTH, actionCount * ACTION_WIDTH + CELL_PADDING)
  const actionsWidth = rowActions ? leastActions * textScale : 0
  const toLeast = (column: Column<Row>) => Math.max(column.minWidth ?? FLEXIBLE_MIN_WIDTH, leastFlexible)
  const minWidth = columns.reduce(
    (sum, column, index) => sum + (widths[index] ?? toLeast(column) * textScale - savedPx),
    actionsWidth,
  )
  return { widths, minWidth, actionsWidth }
}

/** Returns what a table may show, by how much room it has: all columns, then each time one less of those it can do without. */
export function toColumnChoices<Row>(columns: readonly Column<Row>[]): readonly (readonly Column<Row>[])[] {
  const dispensable = columns.filter((column) => column.hideOnPhone)
  const without = (leftOut: readonly Column<Row>[]) => columns.filter((column) => !leftOut.includes(column))
  return [columns, ...dispensable.map((_, index) => without(dispensable.slice(0, index + 1)))]
}

function toLongest<Row>({ text }: Column<Row>, rows: readonly Row[]): number {
  return text ? Math.max(0, ...rows.map((row) => text(row).length)) : 0
}

/** Counts the buttons of a row; the menu of rarely needed actions is one of them. */
function countButtons(actions: readonly RowAction[]): number {
  const seldom = actions.filter((action) => action.seldom).length
  return actions.length - seldom + Math.min(seldom, 1)
}

/** Returns what screen readers are told, which do not all read a header again when its order changes. */
export function toSortedText({ header }: Pick<Column<never>, 'header'>, { direction }: Sort): string {
  return `Sorted by ${header}, ${direction === 'asc' ? 'ascending' : 'descending'}`
}

/** Returns the order that a click on a header asks for: ascending first, then reversed. */
export function toNextSort(key: string, sort: Sort | undefined): Sort {
  return { key, direction: sort?.key === key && sort.direction === 'asc' ? 'desc' : 'asc' }
}
