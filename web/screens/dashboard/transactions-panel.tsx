import type { Dashboard } from '#contract/dashboard.ts'
import { PAGE } from '#contract/pages.ts'
import { RecordLink } from '#web/components/record-link.tsx'
import { toTransactionTone } from '#web/components/status-tones.ts'
import { pathOf } from '#web/paths.ts'
import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import type { Column } from '#web/ui/data-table/data-table-columns.ts'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { PagedTable } from './paged-table.tsx'
import { Panel } from './panel.tsx'
import { usePanel } from './use-panel.ts'

type Row = Dashboard['data']['Transaction'][number]

const columns: readonly Column<Row>[] = [
  { key: 'id', header: 'Id', width: 112, render: (row) => <CopyId id={row._id} /> },
  {
    key: 'facilitator',
    header: 'Payment Facilitator',
    text: (row) => row.paymentFacilitator,
    wraps: true,
    render: (row) => (
      <RecordLink
        href={pathOf(PAGE.transactions, { search: row._id })}
        aria-label={`${row.paymentFacilitator}, transaction of ${row.podTitle}`}
      >
        {row.paymentFacilitator}
      </RecordLink>
    ),
    phone: 'title',
  },
  {
    key: 'status',
    header: 'Status',
    width: 130,
    render: (row) => <StatusChip tone={toTransactionTone(row.status)}>{row.status}</StatusChip>,
    phone: 'aside',
  },
]

export function TransactionsPanel({ userId, wide }: { userId: string; wide: boolean }) {
  const { rows, ...state } = usePanel(userId, 'Transaction')
  return (
    <Panel title="Transactions" href="/Transactions" state={state} wide={wide}>
      <PagedTable
        label="Transactions"
        columns={columns}
        rows={rows}
        rowKey={(row) => row._id}
        busy={state.busy}
        empty="Payments appear here as customers pay for bookings."
      />
    </Panel>
  )
}
