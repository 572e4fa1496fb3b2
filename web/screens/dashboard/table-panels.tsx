import type { Dashboard } from '#contract/dashboard.ts'
import { toFullName } from '#contract/full-name.ts'
import { PAGE, type PageCode } from '#contract/pages.ts'
import { useSession } from '#web/api/session.ts'
import { RecordLink } from '#web/components/record-link.tsx'
import { blockedColumn, idColumn, statusColumn } from '#web/components/record-list/record-columns.tsx'
import { toDashboardBookingTone, toTransactionTone } from '#web/components/status-tones.ts'
import { customerPath, pathOf } from '#web/paths.ts'
import type { Column } from '#web/ui/data-table/data-table-columns.ts'
import { PagedTable } from './paged-table.tsx'
import { Panel } from './panel.tsx'
import { usePanel } from './use-panel.ts'

type PanelName = 'bookings' | 'Transaction' | 'userDetails' | 'feature'
type RowOf<Name extends PanelName> = Dashboard['data'][Name][number]

type TablePanelOptions<Name extends PanelName> = {
  panel: Name
  title: string
  /** Page of the whole list. */
  page: PageCode
  columns: readonly Column<RowOf<Name>>[]
  empty: string
  /** Shown in place of `empty` to people with some locations, where that would be another reason. */
  emptyHere?: string
}

function createTablePanel<Name extends PanelName>(options: TablePanelOptions<Name>) {
  const { panel, title, page, columns, empty, emptyHere = empty } = options
  return function TablePanel({ userId, wide }: { userId: string; wide: boolean }) {
    const hasAll = !useSession()?.locations
    const { rows, ...state } = usePanel(userId, panel)
    return (
      <Panel title={title} href={pathOf(page)} state={state} wide={wide}>
        <PagedTable<RowOf<Name>>
          label={title}
          columns={columns}
          rows={rows}
          total={state.total}
          rowKey={(row) => row._id}
          busy={state.busy}
          empty={hasAll ? empty : emptyHere}
        />
      </Panel>
    )
  }
}

type LinkColumn<Row> = Pick<Column<Row>, 'header' | 'wraps'> &
  Record<'text' | 'href', (row: Row) => string> & { label?: (row: Row) => string }

/** Returns the column that says what a record is called, and leads to it. */
function linkColumn<Row>({ header, text, href, label, wraps = true }: LinkColumn<Row>): Column<Row> {
  return {
    key: 'name',
    header,
    text,
    wraps,
    render: (row) => (
      <RecordLink href={href(row)} aria-label={label?.(row)}>
        {text(row)}
      </RecordLink>
    ),
    phone: 'title',
  }
}

export const BookingsPanel = createTablePanel({
  panel: 'bookings',
  title: 'Bookings',
  page: PAGE.bookings,
  empty: 'Bookings appear here as soon as a pod is booked.',
  columns: [
    { ...idColumn('Id'), hideOnPhone: false },
    linkColumn<RowOf<'bookings'>>({
      header: 'Booking Date',
      text: (row) => row.bookingDate,
      href: (row) => pathOf(PAGE.bookings, { search: row._id }),
      label: (row) => `${row.bookingDate}, booking of ${row.podTitle}`,
      wraps: false,
    }),
    statusColumn<RowOf<'bookings'>>({
      width: 130,
      tone: ({ status }) => toDashboardBookingTone(status),
      words: ({ status }) => status,
    }),
  ],
})

export const TransactionsPanel = createTablePanel({
  panel: 'Transaction',
  title: 'Transactions',
  page: PAGE.transactions,
  empty: 'Payments appear here as customers pay for bookings.',
  columns: [
    { ...idColumn('Id'), hideOnPhone: false },
    linkColumn<RowOf<'Transaction'>>({
      header: 'Payment Facilitator',
      text: (row) => row.paymentFacilitator,
      href: (row) => pathOf(PAGE.transactions, { search: row._id }),
      label: (row) => `${row.paymentFacilitator}, transaction of ${row.podTitle}`,
    }),
    statusColumn<RowOf<'Transaction'>>({
      width: 130,
      tone: ({ status }) => toTransactionTone(status),
      words: ({ status }) => status,
    }),
  ],
})

export const UsersPanel = createTablePanel({
  panel: 'userDetails',
  title: 'User Details',
  page: PAGE.users,
  empty: 'Customers appear here once they sign up, or somebody books for them.',
  emptyHere: 'Customers appear here once they have booked at one of your locations.',
  columns: [
    { ...idColumn('User Id'), hideOnPhone: false },
    linkColumn({ header: 'Full Name', text: toCustomerName, href: ({ _id }) => customerPath(_id) }),
    blockedColumn('active', 112),
  ],
})

export const FeaturesPanel = createTablePanel({
  panel: 'feature',
  title: 'Features',
  page: PAGE.features,
  empty: 'Features such as Wi‑Fi or a screen appear here.',
  columns: [
    { ...idColumn('Id'), hideOnPhone: false },
    linkColumn<RowOf<'feature'>>({
      header: 'Full Name',
      text: ({ name }) => name,
      href: ({ name }) => pathOf(PAGE.features, { search: name }),
    }),
    blockedColumn('Active', 112),
  ],
})

function toCustomerName(customer: RowOf<'userDetails'>): string {
  return toFullName(customer) || customer.username
}
