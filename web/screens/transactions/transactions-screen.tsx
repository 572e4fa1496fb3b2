import { PAGE } from '#contract/pages.ts'
import { transactionStatuses } from '#contract/transaction-statuses.ts'
import type { Transaction } from '#contract/transactions.ts'
import { useSession } from '#web/api/session.ts'
import { useList } from '#web/api/use-list.ts'
import { EmptyPage } from '#web/components/empty-page.tsx'
import { toListCount, useNarrowed } from '#web/components/list-count.ts'
import { RecordLink } from '#web/components/record-link.tsx'
import { startDownload } from '#web/components/start-download.ts'
import { toTransactionTone } from '#web/components/status-tones.ts'
import { toBusinessTime } from '#web/lib/business-day.ts'
import { toMoneyText } from '#web/lib/format.ts'
import { usePagedRows } from '#web/lib/paged-rows.ts'
import { choiceParam, choiceParamOr, pageParam, textParam, useUrlState } from '#web/lib/url-state.ts'
import { pathOf } from '#web/paths.ts'
import { Button } from '#web/ui/button/button.tsx'
import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import type { Column } from '#web/ui/data-table/data-table-columns.ts'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconCoin, IconDownload, IconPercentage } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Pager } from '#web/ui/pager/pager.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { SimilarNote } from '#web/ui/similar-note/similar-note.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'
import { DiscountDialog } from './discount-dialog.tsx'
import { RateDialog } from './rate-dialog.tsx'
import { noTransactionFilters, TransactionFilters } from './transaction-filters.tsx'

const PAGE_SIZES = ['6', '25', '50'] as const
const SKELETON_ROWS = 5

const params = {
  page: pageParam(),
  search: textParam(),
  status: choiceParam(transactionStatuses),
  facilitator: textParam(),
  location: textParam(),
  min: textParam(),
  max: textParam(),
  from: textParam(),
  to: textParam(),
  sort: choiceParamOr(['-createdAt', 'createdAt', 'amount', '-amount'], '-createdAt'),
  size: choiceParamOr(PAGE_SIZES, '6'),
}

const columns: readonly Column<Transaction>[] = [
  {
    key: 'id',
    header: 'Transaction Id',
    width: 104,
    render: (transaction) => <CopyId id={transaction._id} />,
    hideOnPhone: true,
  },
  {
    key: 'amount',
    header: 'Amount',
    width: 108,
    align: 'end',
    text: (transaction) => toMoneyText(transaction.amount, transaction.currency),
    sortable: true,
    phone: 'title',
  },
  { key: 'currency', header: 'Currency', width: 72, text: (transaction) => transaction.currency, hideOnPhone: true },
  {
    key: 'merchant',
    header: 'Merchant Id',
    minWidth: 94,
    wraps: true,
    text: (transaction) => transaction.merchantId,
    hideOnPhone: true,
  },
  {
    key: 'checkout',
    header: 'Checkout Id',
    minWidth: 94,
    wraps: true,
    text: (transaction) => transaction.checkoutId,
    hideOnPhone: true,
  },
  {
    key: 'facilitator',
    header: 'Payment Facilitator',
    width: 96,
    wraps: true,
    text: (transaction) => transaction.paymentFacilitator,
  },
  {
    key: 'pod',
    header: 'Pod Name',
    minWidth: 94,
    wraps: true,
    text: (transaction) => transaction.podTitle,
    render: (transaction) => <BookingLink transaction={transaction} />,
  },
  {
    key: 'location',
    header: 'Location',
    minWidth: 94,
    wraps: true,
    text: (transaction) => transaction.locationName,
    hideOnPhone: true,
  },
  { key: 'user', header: 'User Name', minWidth: 94, wraps: true, text: (transaction) => transaction.username },
  {
    key: 'status',
    header: 'Status',
    width: 116,
    render: (transaction) => <StatusChip tone={toTransactionTone(transaction.status)}>{transaction.status}</StatusChip>,
    phone: 'aside',
  },
  {
    key: 'createdAt',
    header: 'Date',
    width: 120,
    sortable: true,
    render: ({ createdAt }) => {
      const { date, time } = toBusinessTime(createdAt)
      return <TwoLines first={date} second={time} />
    },
  },
]

/** Undefined of what is no amount, as someone may have written it into the address. */
function toAmount(text: string): number | undefined {
  return /^\d{1,10}(\.\d{1,2})?$/.test(text) ? Number(text) : undefined
}

/** The pod's name leads to the booking that was paid for, for those who may see it. */
function BookingLink({ transaction: { podTitle, bookingId } }: { transaction: Transaction }) {
  const pages = useSession()?.pages ?? []
  if (bookingId === null || !pages.includes(PAGE.bookings)) return podTitle
  return (
    <RecordLink href={pathOf(PAGE.bookings, { search: bookingId })} aria-label={`${podTitle}, its booking`}>
      {podTitle}
    </RecordLink>
  )
}

/** Page 4 (rules §10.3). */
export function TransactionsScreen() {
  const [values, setUrl] = useUrlState(params)
  const { page, size, min, max, ...others } = values
  const pageSize = Number(size)
  const filters = {
    ...others,
    location: others.location || undefined,
    minAmount: toAmount(min),
    maxAmount: toAmount(max),
  }
  const { list: transactions, total } = useList('transactions', { ...filters, page, limit: pageSize })
  const rows = usePagedRows(
    transactions,
    { rows: transactions.data?.data.data, page, pageSize, total: total.count },
    setUrl,
  )
  const dialogs = useDialogs<'rate' | 'discount'>()
  const { sort, ...narrowing } = filters
  const isFiltered = Object.values(narrowing).some((value) => value !== undefined && value !== '')
  const narrowed = useNarrowed('transactions', isFiltered)

  return (
    <>
      <PageHeader
        title="Transactions"
        count={
          toListCount('All Transactions', narrowed ? { count: narrowed.all, isAtLeast: false } : total) ??
          'All Transactions'
        }
        onShowAll={() => setUrl(noTransactionFilters)}
        found={narrowed && toListCount('All Transactions', total, narrowed)}
        secondaryActions={
          <>
            <Button icon={<IconCoin />} onClick={() => dialogs.show('rate')}>
              Manage Rate
            </Button>
            <Button icon={<IconPercentage />} onClick={() => dialogs.show('discount')}>
              Manage Discount
            </Button>
            <Button
              icon={<IconDownload size={16} />}
              onClick={() => void startDownload('transactions', 'export', { query: filters })}
            >
              Download All
            </Button>
          </>
        }
      />
      <TransactionFilters values={values} onChange={setUrl} />
      <SimilarNote search={transactions.data?.alike} />
      <DataTable
        label="Transactions"
        columns={columns}
        rows={rows}
        rowKey={(transaction) => transaction._id}
        rowName={(transaction) => `Transaction ${transaction._id}`}
        skeletonRows={SKELETON_ROWS}
        busy={transactions.isFetching}
        sort={{ key: sort.replace('-', ''), direction: sort.startsWith('-') ? 'desc' : 'asc' }}
        onSort={({ key, direction }) => setUrl({ sort: params.sort.parse(direction === 'desc' ? `-${key}` : key) })}
        problem={transactions.error && toProblem(transactions.error)}
        onRetry={() => void transactions.refetch()}
        empty={
          page > 1 ? (
            <EmptyPage onFirstPage={() => setUrl({ page: 1 })} />
          ) : (
            <EmptyState>
              {isFiltered
                ? 'No transaction matches these filters.'
                : 'Payments appear here as customers pay for bookings.'}
            </EmptyState>
          )
        }
      />
      <Pager
        label="Transactions pages"
        page={page}
        pageSize={pageSize}
        pageSizes={PAGE_SIZES.map(Number)}
        onPageSize={(next) => setUrl({ size: params.size.parse(String(next)) })}
        total={total.count}
        isAtLeast={total.isAtLeast}
        shown={transactions.data?.data.data.length}
        onPage={(next) => setUrl({ page: next })}
      />
      <DialogOutlet dialogs={dialogs}>
        {(dialog) => (
          <>
            {dialog === 'rate' && <RateDialog onClose={dialogs.close} />}
            {dialog === 'discount' && <DiscountDialog onClose={dialogs.close} />}
          </>
        )}
      </DialogOutlet>
    </>
  )
}
