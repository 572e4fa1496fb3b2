import type { transactionEndpoints } from '#contract/transactions.ts'
import { isPage } from '#server/db/ordered-list.ts'
import type { Handlers } from '#server/http/handler.ts'
import { paged, streamed } from '#server/http/results.ts'
import { exportTransactions } from './transactions.export.ts'
import { listFacilitators, listTransactionBatches, listTransactions } from './transactions.repository.ts'

export const transactionHandlers: Handlers<typeof transactionEndpoints> = {
  list: async ({ context, query }) => {
    const { db, config } = context
    if (!isPage(query)) return streamed(listTransactionBatches(db, query, config.businessTimeZone))
    return paged(await listTransactions(db, query, config.businessTimeZone))
  },

  facilitators: ({ context: { db } }) => listFacilitators(db),

  export: exportTransactions,
}
