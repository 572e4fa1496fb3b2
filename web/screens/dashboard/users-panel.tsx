import { PAGE } from '#contract/pages.ts'
import type { User } from '#contract/users.ts'
import { RecordLink } from '#web/components/record-link.tsx'
import { pathOf } from '#web/paths.ts'
import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import type { Column } from '#web/ui/data-table/data-table-columns.ts'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { PagedTable } from './paged-table.tsx'
import { Panel } from './panel.tsx'
import { usePanel } from './use-panel.ts'

type Row = User

const columns: readonly Column<Row>[] = [
  { key: 'id', header: 'User Id', width: 112, render: (row) => <CopyId id={row._id} /> },
  {
    key: 'name',
    header: 'Full Name',
    text: toFullName,
    wraps: true,
    render: (row) => (
      <RecordLink href={pathOf(PAGE.users, { search: row.email || toFullName(row) })}>{toFullName(row)}</RecordLink>
    ),
    phone: 'title',
  },
  {
    key: 'status',
    header: 'Status',
    width: 112,
    render: (row) => (
      <StatusChip tone={row.isBlocked ? 'red' : 'green'}>{row.isBlocked ? 'Inactive' : 'active'}</StatusChip>
    ),
    phone: 'aside',
  },
]

export function UsersPanel({ userId, wide }: { userId: string; wide: boolean }) {
  const { rows, ...state } = usePanel(userId, 'userDetails')
  return (
    <Panel title="User Details" href="/user-details" state={state} wide={wide}>
      <PagedTable
        label="User Details"
        columns={columns}
        rows={rows}
        rowKey={(row) => row._id}
        busy={state.busy}
        empty="Customers appear here once they sign up."
      />
    </Panel>
  )
}

function toFullName({ firstname, lastname, username }: Row): string {
  return `${firstname} ${lastname}`.trim() || username
}
