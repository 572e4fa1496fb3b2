import type { Booking } from '#contract/bookings.ts'
import { PAGE } from '#contract/pages.ts'
import { RecordLink } from '#web/components/record-link.tsx'
import { toBookingTone } from '#web/components/status-tones.ts'
import { pathOf } from '#web/paths.ts'
import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import type { Column } from '#web/ui/data-table/data-table-columns.ts'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { PagedTable } from './paged-table.tsx'
import { Panel } from './panel.tsx'
import { usePanel } from './use-panel.ts'

type Row = Booking

const columns: readonly Column<Row>[] = [
  { key: 'id', header: 'Id', width: 112, render: (row) => <CopyId id={row._id} /> },
  {
    key: 'date',
    header: 'Booking Date',
    text: (row) => row.bookingDate,
    render: (row) => (
      <RecordLink
        href={pathOf(PAGE.bookings, { search: row._id })}
        aria-label={`${row.bookingDate}, booking of ${row.podTitle}`}
      >
        {row.bookingDate}
      </RecordLink>
    ),
    phone: 'title',
  },
  {
    key: 'status',
    header: 'Status',
    width: 130,
    render: (row) => <StatusChip tone={toBookingTone(row.status)}>{row.status}</StatusChip>,
    phone: 'aside',
  },
]

export function BookingsPanel({ userId, wide }: { userId: string; wide: boolean }) {
  const { rows, ...state } = usePanel(userId, 'bookings')
  return (
    <Panel title="Bookings" href="/booking" state={state} wide={wide}>
      <PagedTable
        label="Bookings"
        columns={columns}
        rows={rows}
        rowKey={(row) => row._id}
        busy={state.busy}
        empty="Bookings appear here as soon as a pod is booked."
      />
    </Panel>
  )
}
