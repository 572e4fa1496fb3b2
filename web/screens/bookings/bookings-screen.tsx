import { useMemo, useState } from 'react'
import type { BookingListItem } from '#contract/bookings.ts'
import { PAGE } from '#contract/pages.ts'
import { useMay } from '#web/api/may.ts'
import { BookingDrawer } from '#web/components/booking/booking-drawer.tsx'
import { CancelBooking } from '#web/components/booking/cancel-booking.tsx'
import { CompanyLink } from '#web/components/company-link.tsx'
import { CustomerLink } from '#web/components/customer-link.tsx'
import { RecordLink } from '#web/components/record-link.tsx'
import { toListCount } from '#web/components/record-list/list-count.ts'
import { bookingStatusColumn, idColumn } from '#web/components/record-list/record-columns.tsx'
import { RecordDialogs, useRecordDialogs } from '#web/components/record-list/record-dialogs.tsx'
import { RecordTable } from '#web/components/record-list/record-table.tsx'
import { useRecordList } from '#web/components/record-list/use-record-list.ts'
import { toListedBookingTone } from '#web/components/status-tones.ts'
import { toWallTimeRange } from '#web/lib/format.ts'
import { isPlainClick, Link, useGoTo } from '#web/lib/link.tsx'
import { bookingPath, pathOf, qrPath } from '#web/paths.ts'
import { Button } from '#web/ui/button/button.tsx'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { IconCalendarX, IconDownload, IconQrcode } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'
import { BookingFilters } from './booking-filters.tsx'
import { bookingList } from './booking-list.ts'

const toColumns = (open: (id: string) => void): readonly Column<BookingListItem>[] => [
  idColumn('Booking Id', 106),
  {
    key: 'startTime',
    header: 'Booking Date',
    width: 118,
    wraps: true,
    text: (booking) => booking.bookingDate,
    sortable: true,
  },
  {
    key: 'purpose',
    header: 'Booking Purpose',
    width: 84,
    text: (booking) => booking.bookingPurpose || 'N/A',
    hideOnPhone: true,
  },
  { key: 'time', header: 'Booking Time', width: 104, text: toWallTimeRange, wraps: true },
  {
    key: 'pod',
    header: 'Pod Name',
    minWidth: 110,
    wraps: true,
    render: ({ _id, podTitle }) => (
      <RecordLink
        href={bookingPath(_id)}
        onClick={(event) => {
          if (!isPlainClick(event)) return
          event.preventDefault()
          open(_id)
        }}
      >
        {podTitle}
      </RecordLink>
    ),
    text: (booking) => booking.podTitle,
    phone: 'title',
  },
  {
    key: 'location',
    header: 'Location',
    minWidth: 112,
    render: ({ locationDetails: location }) => (
      <TwoLines first={location.name} second={toAddressText(location)} wraps />
    ),
    text: ({ locationDetails: location }) => `${location.name}, ${toAddressText(location)}`,
    hideOnPhone: true,
  },
  {
    key: 'user',
    header: 'User Name',
    minWidth: 112,
    wraps: true,
    render: ({ company, customerId, username }) =>
      company ? (
        <TwoLines first={<CompanyLink company={company} />} second={username} />
      ) : (
        <CustomerLink id={customerId}>{username}</CustomerLink>
      ),
    text: ({ company, username }) => (company ? `${company.name}, ${username}` : username),
  },
  bookingStatusColumn(toListedBookingTone),
]

/** Screen of page 6 (rules §4.12): most recently created first, times in UTC on a 12-hour clock. */
export function BookingsScreen() {
  const goTo = useGoTo()
  const list = useRecordList(bookingList)
  const [openId, setOpenId] = useState<string>()
  const { dialogs, askToDelete: askToCancel, toHistoryAction } = useRecordDialogs('booking', toBookingName)

  const may = useMay()
  const mayChange = may.changeRecords('booking')
  const columns = useMemo(() => toColumns(setOpenId), [])

  const rowActions = (booking: BookingListItem): RowAction[] => [
    { label: 'QR code', icon: <IconQrcode />, onSelect: () => goTo(qrPath(booking._id)) },
    toHistoryAction(booking),
    {
      label: 'Cancel booking',
      icon: <IconCalendarX />,
      danger: true,
      hidden: !mayChange,
      disabled: !booking.isBookingActive,
      onSelect: () => askToCancel(booking),
    },
  ]

  return (
    <>
      <PageHeader
        title="Bookings"
        count={toListCount('All Bookings', list.total, list.narrowed)}
        secondaryActions={
          <Button icon={<IconDownload size={16} />} onClick={() => list.download('export')}>
            Download
          </Button>
        }
      />
      <BookingFilters state={list.state} />
      <RecordTable
        list={list}
        label="Bookings"
        columns={columns}
        rowName={toBookingName}
        rowActions={rowActions}
        noMatch="No booking matches these filters."
        noneYet={
          <EmptyState
            action={may.call('bookings.createFor') && <Link href={pathOf(PAGE.corporateBooking)}>Book a pod</Link>}
          >
            Bookings appear here as soon as a pod is booked.
          </EmptyState>
        }
      />
      <RecordDialogs
        dialogs={dialogs}
        renderDeletion={(booking, onClose) => <CancelBooking bookingId={booking._id} onClose={onClose} />}
      />
      {openId !== undefined && <BookingDrawer bookingId={openId} onClose={() => setOpenId(undefined)} />}
    </>
  )
}

function toBookingName({ podTitle, bookingDate }: BookingListItem): string {
  return `${podTitle} on ${bookingDate}`
}

/** Returns 'street, city, state, country code, zip', to follow the location's name. */
function toAddressText({ Street, city, state, country_code, zip }: BookingListItem['locationDetails']): string {
  return [Street, city, state, country_code, zip].filter(Boolean).join(', ')
}
