import { useMemo } from 'react'
import { toMoneyText } from '#contract/money.ts'
import { PAGE } from '#contract/pages.ts'
import type { Transaction } from '#contract/transactions.ts'
import { useSession } from '#web/api/session.ts'
import { CallButton } from '#web/components/call-button.tsx'
import { CompanyLink } from '#web/components/company-link.tsx'
import { CustomerLink } from '#web/components/customer-link.tsx'
import { HistoryDialog, type HistoryOf } from '#web/components/history/history-dialog.tsx'
import { RecordLink } from '#web/components/record-link.tsx'
import { toAllCount } from '#web/components/record-list/list-count.ts'
import { idColumn, paymentStatusColumn, timeColumn } from '#web/components/record-list/record-columns.tsx'
import { RecordTable } from '#web/components/record-list/record-table.tsx'
import { useRecordList } from '#web/components/record-list/use-record-list.ts'
import { toBusinessTime } from '#web/lib/business-day.ts'
import { pathOf } from '#web/paths.ts'
import { Button, IconAction } from '#web/ui/button/button.tsx'
import type { Column } from '#web/ui/data-table/data-table-columns.ts'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconCoin, IconDownload, IconHistory, IconPercentage } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'
import { useIsTooNarrowForTables } from '#web/ui/use-media.ts'
import { DiscountDialog } from './discount-dialog.tsx'
import { RateDialog } from './rate-dialog.tsx'
import { TransactionFilters } from './transaction-filters.tsx'
import { PAGE_SIZES, transactionList } from './transaction-list.ts'
import styles from './transactions.module.css'

const SKELETON_ROWS = 5

const toColumns = (showHistory: (of: HistoryOf) => void): readonly Column<Transaction>[] => [
  idColumn('Transaction Id', 100),
  {
    key: 'amount',
    header: 'Amount',
    width: 100,
    align: 'end',
    text: (transaction) => toMoneyText(transaction.amount, transaction.currency),
    sortable: true,
    phone: 'title',
  },
  { key: 'currency', header: 'Currency', width: 70, text: (transaction) => transaction.currency, hideOnPhone: true },
  {
    key: 'merchant',
    header: 'Merchant Id',
    width: 82,
    mono: true,
    wraps: true,
    text: (transaction) => transaction.merchantId,
    hideOnPhone: true,
  },
  {
    key: 'checkout',
    header: 'Checkout Id',
    width: 82,
    mono: true,
    wraps: true,
    text: (transaction) => transaction.checkoutId,
    hideOnPhone: true,
  },
  {
    key: 'facilitator',
    header: 'Payment Facilitator',
    width: 92,
    wraps: true,
    text: (transaction) => transaction.paymentFacilitator,
    hideOnPhone: true,
  },
  {
    key: 'pod',
    header: 'Pod Name',
    minWidth: 95,
    wraps: true,
    text: (transaction) => transaction.podTitle,
    render: (transaction) => <BookingLink transaction={transaction} />,
  },
  {
    key: 'location',
    header: 'Location',
    width: 100,
    wraps: 'to three lines',
    text: (transaction) => transaction.locationName,
    hideOnPhone: true,
  },
  {
    key: 'user',
    header: 'User Name',
    minWidth: 94,
    wraps: true,
    text: ({ company, username }) => (company ? `${company.name}, ${username}` : username),
    render: ({ company, customerId, username }) =>
      company ? (
        <TwoLines first={<CompanyLink company={company} />} second={username} bothWrap />
      ) : (
        <CustomerLink id={customerId}>{username}</CustomerLink>
      ),
  },
  paymentStatusColumn(114),
  {
    ...timeColumn<Transaction>('createdAt', 'Date', ({ createdAt }) => createdAt),
    width: 113,
    render: ({ _id, createdAt }) => <DateWithHistory id={_id} at={createdAt} showHistory={showHistory} />,
  },
]

type DateWithHistoryProps = { id: string; at: string; showHistory: (of: HistoryOf) => void }

/** The date, and what shows the history: no column of operations fits beside the others at 1280 pixels. */
function DateWithHistory({ id, at, showHistory }: DateWithHistoryProps) {
  const { date, time } = toBusinessTime(at)
  const name = toName(id)
  const show = () => showHistory({ entity: 'transaction', id, name })
  return (
    <div className={styles.date}>
      <TwoLines first={date} second={time} bothWrap />
      <IconAction
        className={styles.history}
        label={`History ${name}`}
        tooltip="History"
        icon={<IconHistory size={16} />}
        onClick={show}
      />
    </div>
  )
}

const toName = (id: string) => `Transaction ${id}`

/** The pod's name, linked to the paid booking if the person may see it. */
function BookingLink({ transaction: { podTitle, bookingId } }: { transaction: Transaction }) {
  const pages = useSession()?.pages ?? []
  if (bookingId === null || !pages.includes(PAGE.bookings)) return podTitle
  return (
    <RecordLink href={pathOf(PAGE.bookings, { search: bookingId })} aria-label={`${podTitle}, its booking`}>
      {podTitle}
    </RecordLink>
  )
}

/** Screen of page 4 (rules §10.3). */
export function TransactionsScreen() {
  const list = useRecordList(transactionList)
  const { state } = list
  const { count = 'All Transactions', ...found } = toAllCount('All Transactions', list)
  const dialogs = useDialogs<'rate' | 'discount' | HistoryOf>()
  const columns = useMemo(() => toColumns(dialogs.show), [dialogs])

  const isOnPhone = useIsTooNarrowForTables()
  return (
    <>
      <PageHeader
        title="Transactions"
        count={count}
        {...found}
        secondaryActions={
          <>
            <CallButton call="pricing.setRate" icon={<IconCoin />} onClick={() => dialogs.show('rate')}>
              Manage Rate
            </CallButton>
            <CallButton call="pricing.setDiscount" icon={<IconPercentage />} onClick={() => dialogs.show('discount')}>
              Manage Discount
            </CallButton>
            {/* Without its word beside a table, so that the number found fits into the same line at 1280 pixels. */}
            <Button
              icon={<IconHistory size={16} />}
              aria-label="History of rate and discount"
              data-tooltip="History of rate and discount"
              onClick={() => dialogs.show({ entity: 'settings', name: 'rate and discount' })}
            >
              {isOnPhone ? 'History' : undefined}
            </Button>
            <Button icon={<IconDownload size={16} />} onClick={() => list.download('export')}>
              Download All
            </Button>
          </>
        }
      />
      <TransactionFilters state={state} />
      <RecordTable
        list={list}
        label="Transactions"
        columns={columns}
        rowName={({ _id }) => toName(_id)}
        skeletonRows={SKELETON_ROWS}
        pageSizes={PAGE_SIZES.map(Number)}
        onPageSize={(size) => state.setText('size', String(size))}
        noMatch="No transaction matches these filters."
        noneYet="Payments appear here as customers pay for bookings."
      />
      <DialogOutlet dialogs={dialogs}>
        {(dialog) => (
          <>
            {dialog === 'rate' && <RateDialog onClose={dialogs.close} />}
            {dialog === 'discount' && <DiscountDialog onClose={dialogs.close} />}
            {typeof dialog === 'object' && <HistoryDialog of={dialog} onClose={dialogs.close} />}
          </>
        )}
      </DialogOutlet>
    </>
  )
}
