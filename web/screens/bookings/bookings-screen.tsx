import { useState } from 'react'
import { bookingStatuses } from '#contract/booking-statuses.ts'
import type { BookingListItem } from '#contract/bookings.ts'
import { useList } from '#web/api/use-list.ts'
import { CancelBooking } from '#web/components/cancel-booking.tsx'
import { EmptyPage } from '#web/components/empty-page.tsx'
import { toListCount, useNarrowed } from '#web/components/list-count.ts'
import { startDownload } from '#web/components/start-download.ts'
import { toBookingTone } from '#web/components/status-tones.ts'
import { toWallTimeRange } from '#web/lib/format.ts'
import { useGoTo } from '#web/lib/link.tsx'
import { usePagedRows } from '#web/lib/paged-rows.ts'
import { choiceParam, choiceParamOr, pageParam, textParam, useUrlState } from '#web/lib/url-state.ts'
import { Button } from '#web/ui/button/button.tsx'
import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { IconCalendarX, IconDownload, IconQrcode } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Pager } from '#web/ui/pager/pager.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { SimilarNote } from '#web/ui/similar-note/similar-note.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'
import { BookingFilters } from './booking-filters.tsx'

const PAGE_SIZE = 10

const params = {
  page: pageParam(),
  search: textParam(),
  status: choiceParam(bookingStatuses),
  location: textParam(),
  pod: textParam(),
  user: textParam(),
  from: textParam(),
  to: textParam(),
  sort: choiceParamOr(['-createdAt', 'createdAt', 'startTime', '-startTime'], '-createdAt'),
}

const columns: readonly Column<BookingListItem>[] = [
  { key: 'id', header: 'Booking Id', width: 106, render: (booking) => <CopyId id={booking._id} />, hideOnPhone: true },
  { key: 'startTime', header: 'Booking Date', width: 118, text: (booking) => booking.bookingDate, sortable: true },
  {
    key: 'purpose',
    header: 'Booking Purpose',
    width: 84,
    text: (booking) => booking.bookingPurpose || 'N/A',
    hideOnPhone: true,
  },
  { key: 'time', header: 'Booking Time', width: 98, text: toWallTimeRange, wraps: true },
  { key: 'pod', header: 'Pod Name', minWidth: 110, wraps: true, text: (booking) => booking.podTitle, phone: 'title' },
  {
    key: 'location',
    header: 'Location',
    minWidth: 112,
    render: ({ locationDetails: location }) => <TwoLines first={location.name} second={toAddressText(location)} />,
    text: ({ locationDetails: location }) => `${location.name}, ${toAddressText(location)}`,
    hideOnPhone: true,
  },
  { key: 'user', header: 'User Name', minWidth: 112, wraps: true, text: (booking) => booking.username },
  {
    key: 'status',
    header: 'Status',
    width: 118,
    render: (booking) => <StatusChip tone={toBookingTone(booking.status)}>{booking.status}</StatusChip>,
    phone: 'aside',
  },
]

/** Page 6 (rules §4.12): newest first by creation, times in UTC and 12-hour. */
export function BookingsScreen() {
  const goTo = useGoTo()
  const [values, setUrl] = useUrlState(params)
  const { page, ...filters } = values
  const { list: bookings, total } = useList('bookings', { ...filters, page, limit: PAGE_SIZE })
  const rows = usePagedRows(
    bookings,
    { rows: bookings.data?.data, page, pageSize: PAGE_SIZE, total: total.count },
    setUrl,
  )
  const [cancelling, setCancelling] = useState<BookingListItem>()

  const rowActions = (booking: BookingListItem): RowAction[] => [
    { label: 'QR code', icon: <IconQrcode />, onSelect: () => goTo(`/qr?bookingId=${booking._id}`) },
    {
      label: 'Cancel booking',
      icon: <IconCalendarX />,
      danger: true,
      disabled: !booking.isBookingActive,
      onSelect: () => setCancelling(booking),
    },
  ]
  const { sort, ...narrowing } = filters
  const isFiltered = Object.values(narrowing).some(Boolean)
  const narrowed = useNarrowed('bookings', isFiltered)

  return (
    <>
      <PageHeader
        title="Bookings"
        count={toListCount('All Bookings', total, narrowed)}
        secondaryActions={
          <Button
            icon={<IconDownload size={16} />}
            onClick={() => void startDownload('bookings', 'export', { query: filters })}
          >
            Download
          </Button>
        }
      />
      <BookingFilters values={values} onChange={setUrl} />
      <SimilarNote search={bookings.data?.alike} />
      <DataTable
        label="Bookings"
        columns={columns}
        rows={rows}
        rowKey={(booking) => booking._id}
        rowName={(booking) => `${booking.podTitle} on ${booking.bookingDate}`}
        rowActions={rowActions}
        skeletonRows={PAGE_SIZE}
        busy={bookings.isFetching}
        sort={{ key: sort.replace('-', ''), direction: sort.startsWith('-') ? 'desc' : 'asc' }}
        onSort={({ key, direction }) => setUrl({ sort: params.sort.parse(direction === 'desc' ? `-${key}` : key) })}
        problem={bookings.error && toProblem(bookings.error)}
        onRetry={() => void bookings.refetch()}
        empty={
          page > 1 ? (
            <EmptyPage onFirstPage={() => setUrl({ page: 1 })} />
          ) : (
            <EmptyState>
              {isFiltered ? 'No booking matches these filters.' : 'Bookings appear here as soon as a pod is booked.'}
            </EmptyState>
          )
        }
      />
      <Pager
        label="Bookings pages"
        page={page}
        pageSize={PAGE_SIZE}
        total={total.count}
        isAtLeast={total.isAtLeast}
        shown={bookings.data?.data.length}
        onPage={(next) => setUrl({ page: next })}
      />
      {cancelling && <CancelBooking booking={cancelling} onClose={() => setCancelling(undefined)} />}
    </>
  )
}

/** Street, city, state, country code, zip, which follow the location's name. */
function toAddressText({ Street, city, state, country_code, zip }: BookingListItem['locationDetails']): string {
  return [Street, city, state, country_code, zip].filter(Boolean).join(', ')
}
