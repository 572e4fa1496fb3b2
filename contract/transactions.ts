import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { dateText, listQuery, timeText } from './fields.ts'
import { LocationSchema } from './locations.ts'
import { routes } from './routes.ts'

/** Pod, location and user come from the transaction's booking; null or 'N/A' without one (rules §10.1). */
export const TransactionSchema = z.object({
  _id: z.string(),
  /** ZAR, not cents. */
  amount: z.number(),
  currency: z.string(),
  merchantId: z.string(),
  checkoutId: z.string(),
  paymentFacilitator: z.string(),
  status: z.string(),
  createdAt: timeText,
  bookingId: z.string().nullable(),
  podTitle: z.string(),
  locationName: z.string(),
  locationDetails: LocationSchema.nullable(),
  username: z.string(),
})
export type Transaction = z.infer<typeof TransactionSchema>

/** Compared as it stands: what a facilitator has sent is not trimmed. */
function filterText(name: string) {
  return z.string({ error: `${name} must be text` }).max(200, { error: `${name} may have at most 200 characters` })
}

/** ZAR, such as 99.50. */
function queryAmount(name: string) {
  return z
    .string()
    .regex(/^\d{1,10}([.,]\d{1,2})?$/, { error: `${name} must be an amount such as 99.50` })
    .transform((text) => Number(text.replace(',', '.')))
}

export const TransactionListQuery = listQuery(['createdAt', 'amount']).extend({
  status: filterText('status').optional(),
  facilitator: filterText('facilitator').optional(),
  from: dateText('from').optional(),
  to: dateText('to').optional(),
  /** The id of the booking's location. */
  location: z.string().optional(),
  /** Both inclusive. */
  minAmount: queryAmount('minAmount').optional(),
  maxAmount: queryAmount('maxAmount').optional(),
})

export const transactionEndpoints = {
  list: endpoint(routes.transactions.list, {
    query: TransactionListQuery,
    response: z.object({ data: z.array(TransactionSchema) }),
  }),
  facilitators: endpoint(routes.transactions.facilitators, { response: z.array(z.string()) }),
  export: endpoint(routes.transactions.export, { query: TransactionListQuery, response: z.string(), kind: 'csv' }),
}
