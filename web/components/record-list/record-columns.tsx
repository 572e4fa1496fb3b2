import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import type { Column } from '#web/ui/data-table/data-table-columns.ts'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'

/** The id, to be copied. */
export function idColumn(header: string, width = 112): Column<{ _id: string }> {
  return { key: 'id', header, width, render: ({ _id }) => <CopyId id={_id} />, hideOnPhone: true }
}

/** Those of a list of deleted records, which are neither active nor inactive. */
export function toDeletedColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const render = () => <StatusChip tone="grey">Deleted</StatusChip>
  return columns.map((column) => (column.key === 'status' ? Object.assign({}, column, { render }) : column))
}

/** Whether a record can be used; the word for one that can differs from screen to screen (rules §5.8, §7.4). */
export function blockedColumn(active: 'Active' | 'active', width = 116): Column<{ isBlocked: boolean }> {
  return {
    key: 'status',
    header: 'Status',
    width,
    render: ({ isBlocked }) => (
      <StatusChip tone={isBlocked ? 'red' : 'green'}>{isBlocked ? 'Inactive' : active}</StatusChip>
    ),
    phone: 'aside',
  }
}
