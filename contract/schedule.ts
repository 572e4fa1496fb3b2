import * as z from 'zod/mini'
import { bookingStatuses } from './booking-statuses.ts'
import { endpoint } from './endpoint.ts'
import { dateText, queryInteger, recordId, timeText } from './fields.ts'
import { routes } from './routes.ts'

const MOST_SCHEDULE_DAYS = 7
const DAY_MINUTES = 24 * 60

export const ScheduleQuery = z
  .object({
    /** The first day, YYYY-MM-DD. */
    date: dateText('date').check(
      // The days that follow must be valid dates too.
      z.refine((date) => date < '9999-12-01', { error: 'date must be before 9999-12-01' }),
    ),
    /** The number of days; more than one only for a single pod. */
    days: z.optional(queryInteger('days', 1, MOST_SCHEDULE_DAYS)),
    location: z.optional(recordId),
    pod: z.optional(recordId),
    /**
     * Asks which pods are free from `freeFrom` to `freeTo`, in minutes since 00:00 of `date`. Bookings cannot cross
     * midnight.
     */
    freeFrom: z.optional(queryInteger('freeFrom', 0, DAY_MINUTES)),
    freeTo: z.optional(queryInteger('freeTo', 0, 2 * DAY_MINUTES)),
  })
  .check(
    z.refine(({ freeFrom, freeTo }) => (freeFrom === undefined) === (freeTo === undefined), {
      path: ['freeTo'],
      error: 'freeFrom and freeTo are asked for together',
    }),
  )
  .check(
    z.refine(({ days = 1, pod }) => days === 1 || pod !== undefined, {
      path: ['days'],
      error: 'Several days are answered for one pod: name it as pod',
    }),
  )

const SchedulePodSchema = z.object({
  _id: z.string(),
  title: z.string(),
  /** Index into `locations`. */
  location: z.int(),
  capacity: z.nullable(z.int()),
  /** ZAR per minute. */
  rate: z.number(),
  /** Minutes that are kept free after a new booking. */
  buffer: z.int(),
  /** Indexes into `features`. */
  features: z.array(z.int()),
  isBlocked: z.boolean(),
  isDeleted: z.boolean(),
})

/** Minutes since 00:00 of `date` on the wall clock, in no time zone. */
const minutes = z.int()

/**
 * All bookings that hold time, as columns: the values at the same index of each column belong to one booking. This
 * makes a day of 500 pods a third of its size as objects. Sorted by pod and start.
 */
const ScheduleBookingsSchema = z.object({
  /** Index into `pods`. */
  pod: z.array(z.int()),
  start: z.array(minutes),
  end: z.array(minutes),
  /** Minutes that are kept free after the booking. */
  buffer: z.array(z.int()),
  status: z.array(z.enum(bookingStatuses)),
  /** The customer, company or staff member that the booking is for. */
  who: z.array(z.string()),
  /** Indexes of the bookings that are checked in, and of those that have a note. */
  checkedIn: z.array(z.int()),
  noted: z.array(z.int()),
  /** Only with the query parameter `pod`: the ids of a whole day would be larger than everything else. */
  _id: z.optional(z.array(z.string())),
  version: z.optional(z.array(z.int())),
})

const ScheduleSchema = z.object({
  date: z.string(),
  days: z.int(),
  /** The business's wall clock, labelled Z. */
  now: timeText,
  locations: z.array(z.object({ _id: z.string(), name: z.string(), city: z.string(), isBlocked: z.boolean() })),
  features: z.array(z.object({ _id: z.string(), name: z.string() })),
  /** Sorted by location and title. */
  pods: z.array(SchedulePodSchema),
  /** Free minutes of a new booking. */
  discountMinutes: z.number(),
  /**
   * Indexes into `pods` of those that can be booked from `freeFrom` to `freeTo`, even if part of that time has passed.
   */
  free: z.optional(z.array(z.int())),
  bookings: ScheduleBookingsSchema,
  /** Times that cannot be booked, and why. */
  closures: z.array(
    z.object({ _id: z.string(), reason: z.string(), start: minutes, end: minutes, pods: z.array(z.int()) }),
  ),
  /** Opening hours of the given pods on a day, where they differ from 06:00–24:00. */
  hours: z.array(
    z.object({
      /** Number of days after `date`. */
      day: z.int(),
      pods: z.array(z.int()),
      /** Empty when closed all day. */
      spans: z.array(z.object({ from: minutes, to: minutes })),
    }),
  ),
})
export type Schedule = z.infer<typeof ScheduleSchema>

export const scheduleEndpoints = {
  get: endpoint(routes.schedule.get, { query: ScheduleQuery, response: ScheduleSchema }),
}
