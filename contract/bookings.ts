import * as z from 'zod/mini'
import { BookForBody } from './book-for.ts'
import { bookingMoments, bookingStatuses } from './booking-statuses.ts'
import { endpoint } from './endpoint.ts'
import { dateText, listQuery, MessageSchema, requiredText, timeText, version, wallClock } from './fields.ts'
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
  /** Count of marks first to last, as text. */
  timeSlotNumber: z.string(),
  status: z.enum(bookingStatuses),
  isBookingActive: z.boolean(),
  /** A true instant. */
  createdAt: timeText,
  location: z.string(),
  user: z.string(),
  /** True instants; what happened on the day stands beside the status (rules §27.1). */
  checkedInAt: z.nullable(timeText),
  noShowAt: z.nullable(timeText),
  endedAt: z.nullable(timeText),
  /** Wall clock: from then on its time is free again, though it was booked for longer. */
  releasedFrom: z.nullable(timeText),
  note: z.string(),
  /** The series that it is of. */
  seriesId: z.nullable(z.string()),
  /** ZAR; null where it was not sold through here, as of staff's own bookings. */
  price: z.nullable(z.number()),
  version,
})
export type Booking = z.infer<typeof BookingSchema>

/** A booking with what the bookings screen shows of its pod, location and user, so that no row needs a second request (rules §4.11). */
const BookingListItemSchema = z.extend(BookingSchema, {
  locationName: z.string(),
  locationDetails: LocationDetailsSchema,
  username: z.string(),
  userDetails: z.object({ _id: z.string(), firstname: z.string(), lastname: z.string(), email: z.string() }),
  /** Whose page shows more (rules §31.1); null of a booking that staff made for themselves. */
  customerId: z.nullable(z.string()),
  /** The company that it is for (rules §29.3). */
  company: z.nullable(z.object({ _id: z.string(), name: z.string() })),
})
export type BookingListItem = z.infer<typeof BookingListItemSchema>

/** What /qr shows: the booking and the text of its code (rules §4.17). */
export const BookingDetailsSchema = z.extend(BookingListItemSchema, { qrText: z.string() })
export type BookingDetails = z.infer<typeof BookingDetailsSchema>

export const BookingListQuery = z.extend(listQuery(['createdAt', 'startTime']), {
  status: z.optional(z.enum(bookingStatuses, 'status must be one of the booking statuses')),
  location: z.optional(z.string()),
  pod: z.optional(z.string()),
  user: z.optional(z.string()),
  company: z.optional(z.string()),
  /** Booking dates, both inclusive. */
  from: z.optional(dateText('from')),
  to: z.optional(dateText('to')),
  when: z.optional(z.enum(bookingMoments, `when must be one of ${bookingMoments.join(', ')}`)),
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
  /** Now on the pod's wall clock, labelled Z: the server's clock decides which slots have passed. */
  business_now: timeText,
  product_availability: z.object({
    product_id: z.string(),
    booking_date: z.string(),
    /** HH:mm labels (rules §4.4). */
    slot_bookings: z.array(z.string()),
    /** Why, by label. */
    slot_reasons: z.record(z.string(), z.string()),
    /** Labels of those that nothing but the opening hours keeps from being booked. */
    outside_hours: z.array(z.string()),
    /** Labels at which a booking cannot end, as the cleaning after it would run into another. */
    not_ends: z.array(z.string()),
    /** Of cleaning after each booking. */
    buffer_minutes: z.int(),
  }),
})
export type Availability = z.infer<typeof AvailabilitySchema>

export const bookingEndpoints = {
  availability: endpoint(routes.bookings.availability, { query: AvailabilityQuery, response: AvailabilitySchema }),
  create: endpoint(routes.bookings.create, {
    body: BookingBody,
    response: z.object({ message: z.string(), booking: BookingSchema }),
    status: 201,
  }),
  createFor: endpoint(routes.bookings.createFor, {
    body: BookForBody,
    response: z.object({ message: z.string(), booking: BookingSchema }),
    status: 201,
  }),
  get: endpoint(routes.bookings.get, { response: BookingDetailsSchema }),
  cancel: endpoint(routes.bookings.cancel, { ifMatch: 'optional', response: MessageSchema }),
  list: endpoint(routes.bookings.list, { query: BookingListQuery, response: z.array(BookingListItemSchema) }),
  export: endpoint(routes.bookings.export, { query: BookingListQuery, response: z.string(), kind: 'csv' }),
}
