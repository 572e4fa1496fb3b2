import { memo, type ReactNode, useId } from 'react'
import { IconAction } from '../button/button.tsx'
import { IconArrowDown, IconArrowUp, IconSelector } from '../icons/icons.tsx'
import { Menu } from '../menu/menu.tsx'
import { Skeleton } from '../skeleton/skeleton.tsx'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import { type Column, type RowAction, type RowProps, type Sort, toNextSort } from './data-table-columns.ts'
import styles from './data-table.module.css'

type SortHeaderProps<Row> = { column: Column<Row>; sort: Sort | undefined; onSort: ((sort: Sort) => void) | undefined }

function SortIcon({ active, direction }: { active: boolean; direction: Sort['direction'] | undefined }) {
  if (!active) return <IconSelector size={14} />
  return direction === 'asc' ? <IconArrowUp size={14} /> : <IconArrowDown size={14} />
}

export function SortHeader<Row>({ column, sort, onSort }: SortHeaderProps<Row>) {
  const active = sort?.key === column.key
  if (!column.sortable || !onSort) {
    return (
      <th scope="col" data-align={column.align}>
        {column.header}
      </th>
    )
  }
  return (
    <th
      scope="col"
      data-align={column.align}
      aria-sort={active ? (sort.direction === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      <button type="button" className={styles.sort} onClick={() => onSort(toNextSort(column.key, sort))}>
        {column.header}
        <SortIcon active={active} direction={sort?.direction} />
      </button>
    </th>
  )
}

/** Returns a cell's content, and its plain text for the hover. */
export function toCell<Row>(column: Column<Row>, row: Row) {
  const text = column.text?.(row)
  const content = column.render ? column.render(row) : text
  const title = text ?? (typeof content === 'string' || typeof content === 'number' ? String(content) : undefined)
  return { content: column.wraps ? toBreakable(content) : content, title }
}

/** Lets an email address wrap before its @ rather than in the middle of a word. */
export function toBreakable(content: ReactNode): ReactNode {
  if (typeof content !== 'string') return content
  const at = content.indexOf('@')
  if (at === -1) return content
  return (
    <>
      {content.slice(0, at)}
      <wbr />
      {content.slice(at)}
    </>
  )
}

// Only dates and figures get tabular figures, so that digits line up: in text their wide hyphen would look like a gap.
const STARTS_WITH_DIGIT = /^\W?\d/

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { content, title } = toCell(column, row)
  // What names the row on a phone names it for screen readers too, in every other cell; a figure is no name.
  const As = column.phone === 'title' && column.align !== 'end' ? 'th' : 'td'
  return (
    <As
      scope={As === 'th' ? 'row' : undefined}
      className={styles.cell}
      title={title}
      data-heading={As === 'th' || undefined}
      data-align={column.align}
      data-mono={column.mono || undefined}
      data-numeric={(title !== undefined && STARTS_WITH_DIGIT.test(title)) || undefined}
    >
      {column.wraps ? (
        <span className={styles.lines} data-three={column.wraps === 'to three lines' || undefined}>
          {content}
        </span>
      ) : (
        content
      )}
    </As>
  )
}

type CellsProps<Row> = { columns: readonly Column<Row>[]; row: Row }

function PlainCells<Row>({ columns, row }: CellsProps<Row>) {
  return columns.map((column) => <Cell key={column.key} column={column} row={row} />)
}

/** Memoised, as they depend only on the row: opening a dialog or fetching the same rows again does not render them. */
// `memo` loses the type parameter, but the component takes the same props.
export const Cells = memo(PlainCells) as unknown as typeof PlainCells

export function PlainRow({ as: As, className, children }: RowProps) {
  return <As className={className}>{children}</As>
}

type RowActionsProps = { actions: readonly RowAction[]; rowName: string; inMenu?: boolean }

/** The actions of a row as buttons, the seldom ones in a menu; with `inMenu` all of them in one, where there is no room. */
export function RowActions({ actions, rowName, inMenu = false }: RowActionsProps) {
  const id = useId()
  if (inMenu) {
    return (
      <div className={styles.actions}>
        {actions.length > 0 && <Menu label={`Actions for ${rowName}`} items={actions} />}
      </div>
    )
  }
  const often = actions.filter((action) => !action.seldom)
  const seldom = actions.filter((action) => action.seldom)
  // Each reason is rendered once, though several actions often share it.
  const reasons = [...new Set(often.map((action) => action.unavailable).filter((reason) => reason !== undefined))]
  const toButton = (action: RowAction, index: number) => (
    <IconAction
      // Keyed by position, so that Block keeps the focus when it turns into Unblock.
      key={index}
      label={`${action.label} ${rowName}`}
      tooltip={action.unavailable}
      icon={action.icon}
      danger={action.danger ?? false}
      disabled={action.disabled ?? false}
      loading={action.loading ?? false}
      aria-disabled={action.unavailable !== undefined || undefined}
      aria-describedby={action.unavailable === undefined ? undefined : `${id}-${reasons.indexOf(action.unavailable)}`}
      onClick={action.unavailable === undefined ? action.onSelect : undefined}
    />
  )
  return (
    <div className={styles.actions}>
      {often.filter(({ danger }) => !danger).map(toButton)}
      {seldom.length > 0 && <Menu label={`More actions for ${rowName}`} items={seldom} />}
      {often.filter(({ danger }) => danger).map(toButton)}
      {reasons.map((reason, index) => (
        <VisuallyHidden key={reason} id={`${id}-${index}`}>
          {reason}
        </VisuallyHidden>
      ))}
    </div>
  )
}

// Uneven on purpose, like text.
const SKELETON_WIDTHS = ['72%', '54%', '83%', '61%']

export function SkeletonRow<Row>(props: { index: number; columns: readonly Column<Row>[]; withActions: boolean }) {
  const { index, columns, withActions } = props
  return (
    <tr className={styles.row} aria-hidden>
      {columns.map((column, position) => (
        <td key={column.key} data-align={column.align}>
          {column.skeleton ?? (
            <Skeleton width={SKELETON_WIDTHS[(index + position) % SKELETON_WIDTHS.length] ?? '60%'} />
          )}
        </td>
      ))}
      {withActions && (
        <td>
          <Skeleton width="80%" />
        </td>
      )}
    </tr>
  )
}
