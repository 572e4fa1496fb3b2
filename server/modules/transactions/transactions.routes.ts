import type { transactionEndpoints } from '#contract/transactions.ts'
import { isPage } from '#server/db/ordered-list.ts'
import { callerOf } from '#server/http/caller.ts'
import type { Handlers } from '#server/http/handler.ts'
import { inTurn } from '#server/http/in-turn.ts'
import { paged, streamed } from '#server/http/results.ts'
import { exportTransactions } from './transactions.export.ts'
import { listFacilitators, listTransactionBatches, listTransactions } from './transactions.repository.ts'

export const transactionHandlers: Handlers<typeof transactionEndpoints> = {
  list: async ({ context, query, request }) => {
    const { db, config } = context
    if (!isPage(query)) return streamed(listTransactionBatches(db, query, config.businessTimeZone))
    const caller = callerOf(request)
    return paged(
      await inTurn(context, query, caller, () => listTransactions(db, query, config.businessTimeZone, caller)),
    )
  },

  facilitators: ({ context: { db } }) => listFacilitators(db),

  export: exportTransactions,
}
