import * as z from 'zod/mini'
import { BookForBody, RebookBody } from './book-for.ts'
import { bookingBalances, bookingMoments, bookingStatuses } from './booking-statuses.ts'
import { endpoint } from './endpoint.ts'
import {
  dateText,
  fileQuery,
  listQuery,
  MessageSchema,
  recordId,
  requiredText,
  staffNote,
  timeText,
  version,
  wallClock,
} from './fields.ts'
import { LocationDetailsSchema } from './locations.ts'
import { routes } from './routes.ts'

export const BookingSchema = z.object({
  _id: z.string(),
  podId: z.string(),
  podTitle: z.string(),
  /** YYYY-MM-DD */
  bookingDate: z.string(),
  bookingPurpose: z.string(),
  /** The pod's wall clock labelled Z (rules §1.1). */
  startTime: timeText,
  endTime: timeText,
  timeSlotNumber: z
    .string()
    .check(z.describe('The number of quarters of an hour from the first mark to the last, both counted.')),
  status: z.enum(bookingStatuses),
  isBookingActive: z.boolean(),
  /** A true instant. */
  createdAt: timeText,
  location: z.string(),
  user: z
    .string()
    .check(z.describe('The id of the customer, or of the staff member who booked for themselves or for a company.')),
  /** True instants. They are kept apart from the status (rules §27.1). */
  checkedInAt: z.nullable(timeText),
  noShowAt: z.nullable(timeText),
  endedAt: z.nullable(timeText),
  releasedFrom: z.nullable(
    timeText.check(
      z.describe('The wall clock from which the rest of its time is free again, after a no-show or an early end.'),
    ),
  ),
  note: staffNote,
  seriesId: z.nullable(z.string()).check(z.describe('The series that the booking belongs to.')),
  price: z.nullable(z.number()).check(z.describe('ZAR. Null when it was not sold here, as with staff’s own bookings.')),
  version,
})
export type Booking = z.infer<typeof BookingSchema>

/** The company of a booking. One that is deleted keeps its bookings (rules §29.3). */
export const BookingCompanySchema = z.object({ _id: z.string(), name: z.string(), isDeleted: z.boolean() })

/**
 * A booking with the pod, location and user details of the bookings screen, so that no row needs a second request
 * (rules §4.11).
 */
const BookingListItemSchema = z.extend(BookingSchema, {
  locationName: z.string(),
  locationDetails: LocationDetailsSchema,
  username: z.string(),
  userDetails: z.object({ _id: z.string(), firstname: z.string(), lastname: z.string(), email: z.string() }),
  /** Customers have a page of their own (rules §31.1). */
  customerId: z
    .nullable(z.string())
    .check(z.describe('The id of the customer; null for bookings of companies, and of staff for themselves.')),
  balanceDue: z.number().check(z.describe('ZAR that the customer still owes; negative for what is to be given back.')),
  company: z.nullable(BookingCompanySchema).check(z.describe('The company that the booking is for.')),
})
export type BookingListItem = z.infer<typeof BookingListItemSchema>

/** What /qr shows: the booking and the text of its code (rules §4.17). */
export const BookingDetailsSchema = z.extend(BookingListItemSchema, { qrText: z.string() })
export type BookingDetails = z.infer<typeof BookingDetailsSchema>

export const BookingListQuery = z.extend(listQuery(['createdAt', 'startTime']), {
  status: z.optional(z.enum(bookingStatuses, `status must be one of ${bookingStatuses.join(', ')}`)),
  location: z.optional(recordId),
  pod: z.optional(recordId),
  user: z.optional(recordId.check(z.describe('The id of a customer or a staff member.'))),
  company: z.optional(recordId),
  from: z.optional(dateText('from').check(z.describe('The first booking date.'))),
  to: z.optional(dateText('to').check(z.describe('The last booking date.'))),
  when: z.optional(
    z
      .enum(bookingMoments, `when must be one of ${bookingMoments.join(', ')}`)
      .check(
        z.describe(
          'By the clock of the pods: `upcoming` has not ended, `past` has or is cancelled, `running` has begun, `late` is running without a check-in, `arriving` begins within the hour; for a `no-show` nobody came, on whatever day.',
        ),
      ),
  ),
  balance: z.optional(
    z
      .enum(bookingBalances, `balance must be one of ${bookingBalances.join(', ')}`)
      .check(z.describe('`due`: the customer still owes something; `refund`: something is to be given back.')),
  ),
})

/** Status and isBookingActive are accepted and ignored: a new booking is Pending (rules §4.8). */
export const BookingBody = z.object({
  bookingPurpose: requiredText('Purpose', 100),
  bookingDate: dateText('Booking date'),
  startTime: wallClock('Start time'),
  endTime: wallClock('End time', '10:00'),
  timeSlotNumber: z.optional(z.unknown()),
  status: z.optional(z.unknown()),
  isBookingActive: z.optional(z.unknown()),
})
export type BookingBody = z.infer<typeof BookingBody>

const AvailabilityQuery = z.object({ booking_date: dateText('booking_date') })

const AvailabilitySchema = z.object({
  start_time: z.int(),
  end_time: z.int(),
  business_now: timeText.check(z.describe('Now on the wall clock of the pod, labelled Z. Earlier times have passed.')),
  product_availability: z.object({
    product_id: z.string(),
    booking_date: z.string(),
    slot_bookings: z
      .array(z.string())
      .check(z.describe('The quarters of an hour that are not free, by their start: `09:00` for 09:00 to 09:15.')),
    slot_reasons: z.record(z.string(), z.string()).check(z.describe('Why each of them is not free, for people.')),
    outside_hours: z.array(z.string()).check(z.describe('Those of them that are only outside the opening hours.')),
    not_ends: z
      .array(z.string())
      .check(z.describe('When no booking can end, because the cleaning after it would take time of another.')),
    buffer_minutes: z.int().check(z.describe('Cleaning after each booking.')),
  }),
})
export type Availability = z.infer<typeof AvailabilitySchema>

const created = { response: z.extend(MessageSchema, { booking: BookingSchema }), status: 201 } as const

export const bookingEndpoints = {
  availability: endpoint(routes.bookings.availability, { query: AvailabilityQuery, response: AvailabilitySchema }),
  create: endpoint(routes.bookings.create, { ...created, body: BookingBody }),
  createFor: endpoint(routes.bookings.createFor, { ...created, body: BookForBody }),
  rebook: endpoint(routes.bookings.rebook, { ...created, body: RebookBody }),
  get: endpoint(routes.bookings.get, { response: BookingDetailsSchema }),
  cancel: endpoint(routes.bookings.cancel, { ifMatch: 'optional', response: MessageSchema }),
  list: endpoint(routes.bookings.list, { query: BookingListQuery, response: z.array(BookingListItemSchema) }),
  export: endpoint(routes.bookings.export, { query: fileQuery(BookingListQuery), response: z.string(), kind: 'csv' }),
}
