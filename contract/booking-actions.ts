import * as z from 'zod/mini'
import { overrideReason } from './book-for.ts'
import { BookingPolicySchema, LocationPolicyEdit, NoShowMinutesEdit, PolicyEdit } from './booking-policy.ts'
import { arrivalGroups, bookingStatuses } from './booking-statuses.ts'
import { BookingDetailsSchema } from './bookings.ts'
import { endpoint } from './endpoint.ts'
import {
  dateText,
  directionText,
  idLike,
  numberLike,
  optionalText,
  queryInteger,
  recordId,
  requiredText,
  shownPrice,
  staffNote,
  timeText,
  version,
  wallClock,
} from './fields.ts'
import { mailKinds, mailStates } from './mail-states.ts'
import { messageKinds } from './message-templates.ts'
import { routes } from './routes.ts'
import { refundedAt } from './transactions.ts'

/** The actions on a booking; its state and the time decide which are available. */
const bookingActions = [
  'move',
  'cancel',
  'reinstate',
  'check-in',
  'undo-check-in',
  'no-show',
  'undo-no-show',
  'end',
  'undo-end',
] as const
export type BookingAction = (typeof bookingActions)[number]

const money = z.number()
const action = z.enum(bookingActions)
const person = z.object({ _id: z.string(), name: z.string(), email: z.string(), phone: z.string() })

/** The refund if the booking were cancelled now, and the bracket of the policy that determines it. */
const RefundSchema = z.object({
  amount: money.check(z.describe('ZAR that the policy gives back besides what was paid back.')),
  paid: money.check(
    z.describe('What was paid, less the refunds that were charged again when the booking was changed.'),
  ),
  refunded: money.check(z.describe('What of `paid` was paid back.')),
  overpaid: money.check(
    z.describe(
      'What of `paid` is or was to be given back whether or not the booking is cancelled; of a cancelled one, all that is or was.',
    ),
  ),
  percent: z.int(),
  hoursBefore: z.nullable(z.number()),
  fee: money,
})

/** The address that messages go to, and the kinds of messages that are sent there. */
const NotifiesSchema = z.object({ to: z.string(), kinds: z.array(z.enum(messageKinds)) })
export type Notifies = z.infer<typeof NotifiesSchema>

/** A message about the booking, as listed under Messages. */
const BookingMessageSchema = z.object({
  _id: z.string(),
  kind: z.enum(mailKinds),
  /** Empty when the message is also about a booking at a location that the reader does not have. */
  subject: z.string(),
  toEmail: z.string(),
  state: z.enum(mailStates),
  createdAt: timeText,
  sentAt: z.nullable(timeText),
})

const PaymentSchema = z.object({
  _id: z.string(),
  amount: money,
  currency: z.string(),
  status: z.string(),
  paymentFacilitator: z.string(),
  createdAt: timeText,
  refundedAt,
})

/** Everything that the booking's page shows. */
const BookingPageSchema = z.extend(BookingDetailsSchema, {
  customer: z.nullable(person).check(z.describe('Null for bookings of companies, and of staff for themselves.')),
  /** With whom to call and write to there. */
  company: z
    .nullable(z.extend(person, { contactName: z.string(), isDeleted: z.boolean() }))
    .check(z.describe('The company that the booking is for.')),
  madeBy: z
    .nullable(person)
    .check(z.describe('The staff member who made the booking; null for one that the customer or an API key made.')),
  pod: z.object({ _id: z.string(), title: z.string(), direction: directionText }),
  checkedInMethod: z.nullable(z.string()),
  checkedInBy: z
    .nullable(z.string())
    .check(z.describe('The name of the staff member who checked the customer in; null for an API key.')),
  cancelledAt: z.nullable(timeText),
  cancelReason: z.nullable(z.string()),
  payments: z.array(PaymentSchema),
  paid: money.check(z.describe('The sum of the completed payments in ZAR, also of those that were paid back later.')),
  refund: RefundSchema,
  cancelReasons: z.array(z.string()),
  notifies: z
    .nullable(NotifiesSchema)
    .check(
      z.describe(
        'Null when no messages are sent: there is no customer, they have no email address, or no mail server is configured.',
      ),
    ),
  sendsTo: z
    .nullable(z.string())
    .check(
      z.describe('The address to which the confirmation can be sent, or sent again; null when it cannot be sent.'),
    ),
  /** Newest first. */
  messages: z.array(BookingMessageSchema),
  actions: z.array(action).check(z.describe('What can be done now.')),
  businessNow: timeText.check(z.describe('Now on the wall clock of the pod, labelled Z.')),
  timeZone: z.string().check(z.describe('Of `businessNow`.')),
})
export type BookingPage = z.infer<typeof BookingPageSchema>

const Interval = z.object({
  podId: idLike('Pod'),
  bookingDate: dateText('Booking date'),
  startTime: wallClock('Start time'),
  endTime: wallClock('End time', '10:00'),
  causedByUs: z.optional(
    z
      .boolean('causedByUs must be true or false')
      .check(z.describe('The customer neither pays more nor gets a refund.')),
  ),
})
export type MoveQuestion = z.infer<typeof Interval>

const MoveBody = z.extend(Interval, {
  version,
  /** The price after the move. */
  newPrice: shownPrice,
  reason: z.optional(optionalText('Reason', 500)),
  overrideReason,
})

export const FreePodSchema = z.object({
  podId: z.string(),
  podTitle: z.string(),
  locationName: z.string(),
  fewerSeats: z
    .nullable(z.int())
    .check(z.describe('Its seats when they are fewer than in the pod that was asked for, otherwise null.')),
})

/** The nearest free times in the same pod, and similar pods that are free at the requested time. */
export const FreeInsteadSchema = z.object({
  times: z.array(z.object({ startTime: timeText, endTime: timeText })),
  pods: z.array(FreePodSchema),
})
export type FreeInstead = z.infer<typeof FreeInsteadSchema>

const MoveQuoteSchema = z.object({
  price: z.nullable(money).check(z.describe('Null for a booking that was not sold here.')),
  newPrice: z.nullable(money),
  difference: money,
  balanceDue: money.check(
    z.describe('ZAR that the customer owes after the move; negative for what is to be given back.'),
  ),
  reasons: z
    .array(
      z.object({
        code: z.string(),
        message: z.string(),
        booking: z.optional(
          z.object({
            _id: z.string(),
            username: z.string(),
            company: z.optional(z.string()),
            startTime: timeText,
            endTime: timeText,
          }),
        ),
      }),
    )
    .check(
      z.describe(
        'Everything that prevents the move; empty when it is possible. Names the booking in the way to who has Booking (6).',
      ),
    ),
  free: FreeInsteadSchema,
  notifies: z
    .nullable(z.object({ to: z.string() }))
    .check(z.describe('The address at which the customer is told of the move; null when nobody is.')),
})
export type MoveQuote = z.infer<typeof MoveQuoteSchema>

const Versioned = z.object({ version })

export const CancelBody = z.extend(Versioned, {
  reason: requiredText('Reason', 500),
  causedByUs: z.optional(
    z.boolean('causedByUs must be true or false').check(z.describe('Gives back all that was paid and not paid back.')),
  ),
  refund: z.optional(
    numberLike('Refund', { min: 0, decimals: 2 }).check(
      z.describe(
        'ZAR to give back, at most what was paid and not paid back. Another amount than that of the policy needs `refundReason`.',
      ),
    ),
  ),
  refundReason: z.optional(optionalText('Reason for the refund', 500)),
})

/** A visitor who is expected at a location today or has arrived. */
const ArrivalSchema = z.object({
  _id: z.string(),
  podId: z.string(),
  podTitle: z.string(),
  locationName: z.string(),
  name: z.string().check(z.describe('Of the customer or company, or of the staff member who booked for themselves.')),
  customerId: z.nullable(z.string()).check(z.describe('Null for bookings of companies, and of staff for themselves.')),
  phone: z.string(),
  startTime: timeText,
  endTime: timeText,
  status: z.enum(bookingStatuses),
  checkedInAt: z.nullable(timeText),
  noShowAt: z.nullable(timeText),
  endedAt: z.nullable(timeText),
  note: staffNote,
  version,
  actions: z.array(action),
  group: z
    .enum(arrivalGroups)
    .check(
      z.describe(
        '`late` has begun without a check-in, `expected` is to come; `leaving` and `in` are checked in, `leaving` to end within minutes; `over` has ended.',
      ),
    ),
})
export type Arrival = z.infer<typeof ArrivalSchema>

const ArrivalsQuery = z.object({
  location: z.optional(recordId),
  search: z.optional(optionalText('search').check(z.describe('Words of the names, or an id or its end.'))),
  limit: z.optional(
    queryInteger('limit', 1, 1000).check(z.describe('At most so many of each group; all unless it is given.')),
  ),
})
export type ArrivalsQuery = z.output<typeof ArrivalsQuery>

const ArrivalsSchema = z.object({
  businessNow: timeText,
  counts: z
    .record(z.enum(arrivalGroups), z.int())
    .check(z.describe('How many are in each group, whether or not they are listed.')),
  arrivals: z.array(ArrivalSchema),
})
export type Arrivals = z.infer<typeof ArrivalsSchema>

export const bookingPageResponse = { response: BookingPageSchema }
const page = bookingPageResponse
const policyResponse = { response: BookingPolicySchema }

export const bookingActionEndpoints = {
  get: endpoint(routes.bookingActions.get, page),
  move: endpoint(routes.bookingActions.move, { ...page, ifMatch: 'unused', body: MoveBody }),
  previewMove: endpoint(routes.bookingActions.previewMove, { body: Interval, response: MoveQuoteSchema }),
  freePods: endpoint(routes.bookingActions.freePods, { response: z.pick(FreeInsteadSchema, { pods: true }) }),
  cancel: endpoint(routes.bookingActions.cancel, { ...page, body: CancelBody }),
  reinstate: endpoint(routes.bookingActions.reinstate, { ...page, body: z.extend(Versioned, { overrideReason }) }),
  checkIn: endpoint(routes.bookingActions.checkIn, {
    ...page,
    body: z.extend(Versioned, {
      method: z.enum(['staff', 'code', 'door'], 'method must be staff, code or door'),
      code: z.optional(optionalText('Code', 2000)),
    }),
  }),
  undoCheckIn: endpoint(routes.bookingActions.undoCheckIn, page),
  noShow: endpoint(routes.bookingActions.noShow, { ...page, body: Versioned }),
  end: endpoint(routes.bookingActions.end, { ...page, body: Versioned }),
  note: endpoint(routes.bookingActions.note, {
    ...page,
    body: z.extend(Versioned, { note: optionalText('Note', 2000) }),
  }),
  arrivals: endpoint(routes.bookingActions.arrivals, {
    query: ArrivalsQuery,
    response: ArrivalsSchema,
  }),
  checkInByCode: endpoint(routes.bookingActions.checkInByCode, {
    ...page,
    body: z.object({ code: requiredText('Code', 2000) }),
  }),
  getPolicy: endpoint(routes.bookingActions.getPolicy, policyResponse),
  setPolicy: endpoint(routes.bookingActions.setPolicy, { ...policyResponse, body: PolicyEdit }),
  setLocationPolicy: endpoint(routes.bookingActions.setLocationPolicy, { ...policyResponse, body: LocationPolicyEdit }),
  setNoShowMinutes: endpoint(routes.bookingActions.setNoShowMinutes, {
    ...policyResponse,
    ifMatch: 'unused',
    body: NoShowMinutesEdit,
  }),
}
