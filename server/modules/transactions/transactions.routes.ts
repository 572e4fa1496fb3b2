import type { transactionEndpoints } from '#contract/transactions.ts'
import { isFirstPage } from '#server/db/lists/pagination.ts'
import type { Handlers } from '#server/http/handler.ts'
import { listed } from '#server/http/results.ts'
import { exportTransactions } from './transactions.export.ts'
import { listFacilitators, listTransactions } from './transactions.repository.ts'

export const transactionHandlers: Handlers<typeof transactionEndpoints> = {
  list: ({ context, query }) => {
    const db = isFirstPage(query) ? context.shortReads : context.db
    return listed(query, listTransactions(db, query, context.config.businessTimeZone))
  },

  facilitators: ({ context: { db } }) => listFacilitators(db),

  export: exportTransactions,
}
