import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { BookingListItem } from '#contract/bookings.ts'
import { toMoneyText } from '#contract/money.ts'
import { PAGE } from '#contract/pages.ts'
import type { Transaction } from '#contract/transactions.ts'
import { api } from '#web/api/client.ts'
import { RecordLink } from '#web/components/record-link.tsx'
import { usePagedRows } from '#web/components/record-list/paged-rows.ts'
import { bookingStatusColumn, paymentStatusColumn } from '#web/components/record-list/record-columns.tsx'
import { toBookingTone } from '#web/components/status-tones.ts'
import { toBusinessTime } from '#web/lib/business-day.ts'
import { toWallTimeRange } from '#web/lib/format.ts'
import { Link } from '#web/lib/link.tsx'
import { pageParam, useUrlState } from '#web/lib/url-state.ts'
import { bookingPath, pathOf } from '#web/paths.ts'
import type { Column } from '#web/ui/data-table/data-table-columns.ts'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { Pager } from '#web/ui/pager/pager.tsx'
import { Panel } from '#web/ui/panel/panel.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'
import styles from './customer.module.css'

const PAGE_SIZE = 5

/** The page of each table. */
const params = { upcoming: pageParam(), past: pageParam(), payments: pageParam() }

const podColumn: Column<Pick<BookingListItem, 'podTitle' | 'locationName'>> = {
  key: 'pod',
  header: 'Pod Name',
  minWidth: 160,
  text: ({ podTitle, locationName }) => `${podTitle}, ${locationName}`,
  render: ({ podTitle, locationName }) => <TwoLines first={podTitle} second={locationName} />,
}

const bookingColumns: readonly Column<BookingListItem>[] = [
  {
    key: 'date',
    header: 'Booking Date',
    width: 136,
    phone: 'title',
    text: (booking) => booking.bookingDate,
    render: ({ _id, bookingDate }) => <RecordLink href={bookingPath(_id)}>{bookingDate}</RecordLink>,
  },
  { key: 'time', header: 'Booking Time', width: 200, text: toWallTimeRange },
  podColumn,
  bookingStatusColumn(toBookingTone),
]

function toPaidOn({ createdAt }: Transaction): string {
  return toBusinessTime(createdAt).date
}

const paymentColumns: readonly Column<Transaction>[] = [
  { key: 'date', header: 'Date', width: 136, text: toPaidOn, phone: 'title' },
  {
    key: 'amount',
    header: 'Amount',
    width: 130,
    text: ({ amount, currency }) => toMoneyText(amount, currency),
    render: (payment) => (
      <RecordLink href={pathOf(PAGE.transactions, { search: payment._id })}>
        {toMoneyText(payment.amount, payment.currency)}
      </RecordLink>
    ),
  },
  podColumn,
  { key: 'facilitator', header: 'Payment Facilitator', minWidth: 120, text: (payment) => payment.paymentFacilitator },
  paymentStatusColumn(118),
]

type BookingsPanelProps = { title: string; customerId: string; when: 'upcoming' | 'past'; empty: string }

/** A customer's bookings: upcoming ones by start, others with the latest first. */
export function BookingsPanel({ title, customerId, when, empty }: BookingsPanelProps) {
  const filters = { user: customerId, when, sort: when === 'upcoming' ? 'startTime' : '-startTime' } as const
  return (
    <TablePanel
      title={title}
      pageName={when}
      queryKey={['bookings', 'list', filters]}
      load={async (page, signal) => {
        const { data, total } = await api('bookings', 'list', { query: { ...filters, ...page }, signal })
        return { rows: data, total }
      }}
      columns={bookingColumns}
      rowName={({ podTitle, bookingDate }) => `${podTitle} on ${bookingDate}`}
      empty={empty}
      action={
        <Link
          href={pathOf(PAGE.bookings, { user: customerId, when, sort: filters.sort })}
          className={styles.all}
          aria-label={`Show in Bookings: ${title}`}
        >
          Show in Bookings
        </Link>
      }
    />
  )
}

export function PaymentsPanel({ customerId }: { customerId: string }) {
  const filters = { user: customerId, sort: '-createdAt' } as const
  return (
    <TablePanel
      title="Payments"
      pageName="payments"
      queryKey={['transactions', 'list', filters]}
      load={async (page, signal) => {
        const { data, total } = await api('transactions', 'list', { query: { ...filters, ...page }, signal })
        return { rows: data.data, total }
      }}
      columns={paymentColumns}
      rowName={(payment) => `${toMoneyText(payment.amount, payment.currency)} on ${toPaidOn(payment)}`}
      empty="Nothing has been paid yet."
    />
  )
}

type TablePanelProps<Row> = {
  title: string
  pageName: keyof typeof params
  queryKey: QueryKey
  load: (
    page: { page: number; limit: number },
    signal: AbortSignal,
  ) => Promise<{ rows: readonly Row[]; total: number | undefined }>
  columns: readonly Column<Row>[]
  rowName: (row: Row) => string
  empty: string
  action?: ReactNode
}

function TablePanel<Row extends { _id: string }>(props: TablePanelProps<Row>) {
  const { title, pageName, queryKey, load, columns, rowName, empty, action } = props
  const [{ [pageName]: page }, setUrl] = useUrlState(params)
  const setPage = (to: number) => setUrl({ [pageName]: to }, { replace: true, keepScroll: true })
  const query = useQuery({
    queryKey: [...queryKey, page],
    queryFn: ({ signal }) => load({ page, limit: PAGE_SIZE }, signal),
    placeholderData: keepPreviousData,
  })
  const total = query.data?.total
  // A colleague may cancel the only booking of the last page.
  const rows = usePagedRows(query, { rows: query.data?.rows, pageNumber: page, pageSize: PAGE_SIZE, total }, (to) =>
    setPage(to.page),
  )
  return (
    <Panel title={title} action={action} flush>
      <DataTable
        label={title}
        columns={columns}
        rows={rows}
        rowKey={(row) => row._id}
        rowName={rowName}
        skeletonRows={PAGE_SIZE}
        busy={query.isFetching}
        problem={query.error && toProblem(query.error)}
        onRetry={() => void query.refetch()}
        empty={<EmptyState>{empty}</EmptyState>}
      />
      {(total ?? 0) > PAGE_SIZE && (
        <div className={styles.pager}>
          <Pager label={title} page={page} pageSize={PAGE_SIZE} total={total} onPage={setPage} />
        </div>
      )}
    </Panel>
  )
}
