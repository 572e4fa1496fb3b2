import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { customerLabels as labels } from './field-labels.ts'
import {
  BlockedSchema,
  blockedFilter,
  fileQuery,
  listQuery,
  MessageSchema,
  optionalEmail,
  optionalText,
  requiredText,
  timeText,
  UpcomingBookingsSchema,
  version,
} from './fields.ts'
import { routes } from './routes.ts'

/** A customer. The phone number is sent as both `mobile` and `phoneNumber` (rules §8.1). */
export const UserSchema = z.object({
  _id: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  email: z.string(),
  mobile: z.string(),
  phoneNumber: z.string(),
  role: z.string(),
  isBlocked: z.boolean(),
  username: z.string(),
  version,
})
export type User = z.infer<typeof UserSchema>

/** What staff see on the customer's page (rules §31.1). */
const CustomerSchema = z.extend(UserSchema, {
  createdAt: timeText,
  isDeleted: z.boolean(),
  /** Whether the personal data of the deleted customer have been erased (rules §8.4). */
  isErased: z.boolean(),
  /** A note by staff about the customer. */
  note: z.string(),
  /** When, by whom and why the customer was blocked; null when unknown or when the customer is not blocked. */
  blocked: z.nullable(z.object({ at: timeText, by: z.string(), reason: z.nullable(z.string()) })),
  /** Null for staff who do not hold Booking. */
  bookings: z.nullable(z.object({ upcoming: z.int(), past: z.int(), cancelled: z.int(), noShows: z.int() })),
  /** ZAR in completed payments, also in those that were paid back; null for staff who do not hold Transactions. */
  paid: z.nullable(z.number()),
  /** ZAR that was paid back; null for the same. */
  paidBack: z.nullable(z.number()),
})
export type Customer = z.infer<typeof CustomerSchema>

/** A customer's name and contact details; they cannot be reached without an email address or a number. */
export const ContactBody = z.object({
  firstname: requiredText(labels.firstname),
  lastname: optionalText(labels.lastname),
  email: optionalEmail(labels.email),
  mobile: optionalText(labels.mobile, 40),
})

export const requiresContact = z.refine<{ email?: string | undefined; mobile?: string | undefined }>(
  ({ email, mobile }) => Boolean(email) || Boolean(mobile),
  { error: 'Email or mobile is required', path: ['email'] },
)

const NoteBody = z.object({ note: optionalText('Note', 2000) })

/** Older clients send no body. */
const BlockBody = z.nullish(z.object({ reason: z.optional(optionalText('Reason', 500)) }))

export const UserListQuery = z.extend(listQuery(['createdAt', 'name', 'email']), {
  status: blockedFilter,
})

export const userEndpoints = {
  list: endpoint(routes.users.list, { query: UserListQuery, response: z.array(UserSchema) }),
  get: endpoint(routes.users.get, { response: UserSchema }),
  customer: endpoint(routes.users.customer, { response: CustomerSchema }),
  update: endpoint(routes.users.update, { body: ContactBody.check(requiresContact), response: UserSchema }),
  setNote: endpoint(routes.users.setNote, { body: NoteBody, response: MessageSchema }),
  block: endpoint(routes.users.block, { ifMatch: 'optional', body: BlockBody, response: BlockedSchema }),
  unblock: endpoint(routes.users.unblock, { ifMatch: 'optional', response: MessageSchema }),
  delete: endpoint(routes.users.delete, { ifMatch: 'optional', response: MessageSchema }),
  erase: endpoint(routes.users.erase, { response: MessageSchema }),
  upcomingBookings: endpoint(routes.users.upcomingBookings, { response: UpcomingBookingsSchema }),
  export: endpoint(routes.users.export, { query: fileQuery(UserListQuery), response: z.string(), kind: 'csv' }),
  exportBookings: endpoint(routes.users.exportBookings, {
    query: fileQuery(UserListQuery),
    response: z.string(),
    kind: 'csv',
  }),
}
