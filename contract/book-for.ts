import * as z from 'zod/mini'
import { dateText, idLike, optionalText, requiredText, shownPrice, version, wallClock } from './fields.ts'
import { ContactBody, requiresContact } from './users.ts'

/** The person or company that staff make a booking for (rules §29.5). */

const NewCustomer = z
  .extend(z.partial(ContactBody, { lastname: true, email: true, mobile: true }), { kind: z.literal('newCustomer') })
  .check(requiresContact)

const BookFor = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('me') }),
    z.object({ kind: z.literal('customer'), userId: idLike('Customer') }),
    NewCustomer,
    z.object({ kind: z.literal('company'), companyId: idLike('Company') }),
  ],
  'for must have the kind me, customer, newCustomer or company',
)
export type BookFor = z.infer<typeof BookFor>

/** The fields that a booking and a series have in common. */
export const VisitBody = z.object({
  podId: idLike('Pod'),
  bookingPurpose: requiredText('Purpose', 100),
  for: BookFor,
  note: z.optional(optionalText('Note', 2000).check(z.describe('For staff alone.'))),
  /** What each booking in this pod is to cost. Staff's own bookings have no price. */
  price: shownPrice,
  sendCode: z.optional(
    z
      .boolean('sendCode must be true or false')
      .check(
        z.describe(
          'Whether to mail the code of the booking. When absent, the setting of the message ‘booked’ decides.',
        ),
      ),
  ),
})
export type VisitBody = z.infer<typeof VisitBody>

export const overrideReason = z.optional(
  optionalText('Reason', 500).check(z.describe('Why to book outside the opening hours, from who holds page 6.')),
)

export const BookForBody = z.extend(VisitBody, {
  overrideReason,
  bookingDate: dateText('Booking date'),
  startTime: wallClock('Start time'),
  endTime: wallClock('End time', '10:00'),
})
export type BookForBody = z.infer<typeof BookForBody>

/** `version` is that of the booking that is cancelled. */
export const RebookBody = z.extend(z.pick(VisitBody, { for: true, price: true }), { version })
export type RebookBody = z.infer<typeof RebookBody>
