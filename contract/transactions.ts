import * as z from 'zod/mini'
import { BookingCompanySchema } from './bookings.ts'
import { endpoint } from './endpoint.ts'
import { dateText, fileQuery, listQuery, queryAmount, recordId, timeText } from './fields.ts'
import { LocationDetailsSchema } from './locations.ts'
import { routes } from './routes.ts'

/** Tells a payment that was paid back from a refund, which is a row of its own (rules §27.2). */
export const refundedAt = z
  .nullable(timeText)
  .check(z.describe('When the payment itself became `refunded`; null for a refund and for other payments.'))

/** Pod, location and user come from the transaction's booking; null or 'N/A' without one (rules §10.1). */
export const TransactionSchema = z.object({
  _id: z.string(),
  amount: z.number().check(z.describe('In `currency`, not in its cents.')),
  currency: z.string(),
  merchantId: z.string(),
  checkoutId: z.string(),
  paymentFacilitator: z.string(),
  status: z.string(),
  createdAt: timeText,
  refundedAt,
  bookingId: z.nullable(z.string()),
  podTitle: z.string(),
  locationName: z.string(),
  locationDetails: z.nullable(LocationDetailsSchema),
  username: z.string(),
  /** Customers have a page of their own (rules §31.1). */
  customerId: z.nullable(z.string()).check(z.describe('Null when no customer paid.')),
  company: z.nullable(BookingCompanySchema).check(z.describe('The company whose booking was paid for.')),
})
export type Transaction = z.infer<typeof TransactionSchema>

/** Accepts text without trimming it, because it is compared exactly with what the facilitator sent. */
function filterText(name: string) {
  return z.string(`${name} must be text`).check(z.maxLength(200, `${name} may have at most 200 characters`))
}

export const TransactionListQuery = z.extend(listQuery(['createdAt', 'amount']), {
  status: z.optional(filterText('status')),
  facilitator: z.optional(filterText('facilitator')),
  from: z.optional(dateText('from').check(z.describe('The first day of `createdAt`, in the business time zone.'))),
  to: z.optional(dateText('to').check(z.describe('The last day of `createdAt`, in the business time zone.'))),
  location: z.optional(recordId.check(z.describe('The id of the location of the booking.'))),
  user: z.optional(recordId.check(z.describe('The id of the customer whose booking was paid for.'))),
  company: z.optional(recordId.check(z.describe('The id of the company whose booking was paid for.'))),
  /** `minAmount` and `maxAmount` are inclusive. */
  minAmount: z.optional(queryAmount('minAmount')),
  maxAmount: z.optional(queryAmount('maxAmount')),
})

export const transactionEndpoints = {
  list: endpoint(routes.transactions.list, {
    query: TransactionListQuery,
    response: z.object({ data: z.array(TransactionSchema) }),
  }),
  facilitators: endpoint(routes.transactions.facilitators, { response: z.array(z.string()) }),
  export: endpoint(routes.transactions.export, {
    query: fileQuery(TransactionListQuery),
    response: z.string(),
    kind: 'csv',
  }),
}
