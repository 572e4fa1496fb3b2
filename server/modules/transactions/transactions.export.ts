import type { Transaction, transactionEndpoints } from '#contract/transactions.ts'
import type { Handler } from '#server/http/handler.ts'
import { type CsvColumns, csvDownload } from '../exports/csv-download.ts'
import { listTransactionBatches } from './transactions.repository.ts'

// As the table of the screen (spec §2, Transactions)
const columns: CsvColumns<Transaction> = {
  'Transaction Id': (transaction) => transaction._id,
  Amount: (transaction) => transaction.amount,
  Currency: (transaction) => transaction.currency,
  'Merchant Id': (transaction) => transaction.merchantId,
  'Checkout Id': (transaction) => transaction.checkoutId,
  'Payment Facilitator': (transaction) => transaction.paymentFacilitator,
  'Pod Name': (transaction) => transaction.podTitle,
  Location: (transaction) => transaction.locationName,
  'User Name': (transaction) => transaction.username,
  Status: (transaction) => transaction.status,
}

export const exportTransactions: Handler<typeof transactionEndpoints.export> = async ({ context, query }) =>
  csvDownload(
    'Transactions_Report.csv',
    columns,
    listTransactionBatches(context.db, query, context.config.businessTimeZone),
  )
