import type { transactionEndpoints } from '#contract/transactions.ts'
import { isFirstPage, isPage } from '#server/db/lists/pagination.ts'
import type { Handlers } from '#server/http/handler.ts'
import { paged, streamed } from '#server/http/results.ts'
import { exportTransactions } from './transactions.export.ts'
import { listFacilitators, listTransactionBatches, listTransactions } from './transactions.repository.ts'

export const transactionHandlers: Handlers<typeof transactionEndpoints> = {
  list: async ({ context, query }) => {
    const { businessTimeZone } = context.config
    if (!isPage(query)) return streamed(listTransactionBatches(context.db, query, businessTimeZone))
    const db = isFirstPage(query) ? context.shortReads : context.db
    return paged(await listTransactions(db, query, businessTimeZone))
  },

  facilitators: ({ context: { db } }) => listFacilitators(db),

  export: exportTransactions,
}
