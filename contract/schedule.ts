import * as z from 'zod/mini'
import { bookingStatuses } from './booking-statuses.ts'
import { endpoint } from './endpoint.ts'
import { dateText, queryInteger, timeText } from './fields.ts'
import { routes } from './routes.ts'

const MOST_SCHEDULE_DAYS = 7
const DAY_MINUTES = 24 * 60

const ScheduleQuery = z
  .object({
    /** The first day, YYYY-MM-DD. */
    date: dateText('date').check(
      // The days after it have to be dates too.
      z.refine((date) => date < '9999-12-01', { error: 'date must be before 9999-12-01' }),
    ),
    /** How many days from there: more than one only of one pod. */
    days: z.optional(queryInteger('days', 1, MOST_SCHEDULE_DAYS)),
    location: z.optional(z.string()),
    pod: z.optional(z.string()),
    /** Which pods are free from then to then, in minutes since 00:00 of `date`; none is beyond midnight. */
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
  /** Place in `locations`. */
  location: z.int(),
  capacity: z.nullable(z.int()),
  /** ZAR a minute. */
  rate: z.number(),
  /** Minutes that are kept free after a booking that is made from now on. */
  buffer: z.int(),
  /** Places in `features`. */
  features: z.array(z.int()),
  isBlocked: z.boolean(),
  isDeleted: z.boolean(),
})

/** Minutes since 00:00 of `date`: of a wall clock, in no time zone. */
const minutes = z.int()

/**
 * All bookings that hold time, in columns: what stands at one place of each column belongs to one booking. A day of 500
 * pods is so a third of what it would be as objects. Sorted by pod and start.
 */
const ScheduleBookingsSchema = z.object({
  /** Place in `pods`. */
  pod: z.array(z.int()),
  start: z.array(minutes),
  end: z.array(minutes),
  /** Minutes that are kept free after it. */
  buffer: z.array(z.int()),
  status: z.array(z.enum(bookingStatuses)),
  /** The customer, company or staff member that it is for. */
  who: z.array(z.string()),
  /** Which of them, by their place in the columns, have come, and have a note. */
  checkedIn: z.array(z.int()),
  noted: z.array(z.int()),
  /** With `pod` alone: a day's ids would be more than all the rest. */
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
  /** By location and title. */
  pods: z.array(SchedulePodSchema),
  /** Of a booking that is made now, so many minutes are not paid for. */
  discountMinutes: z.number(),
  /** Places in `pods` of those that can be booked from `freeFrom` to `freeTo`; what has passed of it aside. */
  free: z.optional(z.array(z.int())),
  bookings: ScheduleBookingsSchema,
  /** What cannot be booked, and why. */
  closures: z.array(
    z.object({ _id: z.string(), reason: z.string(), start: minutes, end: minutes, pods: z.array(z.int()) }),
  ),
  /** When the named pods are open on a day, where that is not 06:00–24:00. */
  hours: z.array(
    z.object({
      /** Days after `date`. */
      day: z.int(),
      pods: z.array(z.int()),
      /** From and to, minutes since 00:00 of `date`; none: closed all day. */
      spans: z.array(z.object({ from: minutes, to: minutes })),
    }),
  ),
})
export type Schedule = z.infer<typeof ScheduleSchema>

export const scheduleEndpoints = {
  get: endpoint(routes.schedule.get, { query: ScheduleQuery, response: ScheduleSchema }),
}
