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
    z.refine(({ days = 1, pod }) => days === 1 || pod !== undefined, {
      path: ['days'],
      error: 'Several days are answered for one pod: name it as pod',
    }),
  )

const SchedulePodSchema = z.object({
  _id: z.string(),
  title: z.string(),
  location: z.int().check(z.describe('Index into `locations`.')),
  capacity: z.nullable(z.int()),
  rate: z.number().check(z.describe('ZAR a minute.')),
  buffer: z.int().check(z.describe('Minutes that are kept free after a new booking.')),
  features: z.array(z.int()).check(z.describe('Indexes into `features`.')),
  isBlocked: z.boolean(),
  isDeleted: z.boolean(),
})

const podIndexes = z.array(z.int()).check(z.describe('Indexes into `pods`.'))

/** Minutes since 00:00 of `date` on the wall clock, in no time zone. */
const minutes = z.int()

/**
 * All bookings that hold time, as columns: the values at the same index of each column belong to one booking. This
 * makes a day of 500 pods a third of its size as objects. Sorted by pod and start.
 */
const ScheduleBookingsSchema = z.object({
  pod: podIndexes,
  start: z.array(minutes),
  end: z.array(minutes),
  buffer: z.array(z.int()).check(z.describe('Minutes that are kept free after the booking.')),
  status: z.array(z.enum(bookingStatuses)),
  who: z.array(z.string()).check(z.describe('The customer, company or staff member that the booking is for.')),
  checkedIn: z.array(z.int()).check(z.describe('No column: the indexes of the bookings that are checked in.')),
  noted: z.array(z.int()).check(z.describe('No column: the indexes of the bookings that have a note.')),
  /** The ids of a whole day would be larger than everything else. */
  _id: z.optional(z.array(z.string()).check(z.describe('Only with the parameter `pod`, as `version`.'))),
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
  discountMinutes: z.number().check(z.describe('Free minutes of a new booking.')),
  free: z.optional(
    z
      .array(z.int())
      .check(
        z.describe(
          'Indexes into `pods` of those that can be booked from `freeFrom` to `freeTo`, even if part of that time has passed.',
        ),
      ),
  ),
  bookings: ScheduleBookingsSchema,
  /** Times that cannot be booked, and why. */
  closures: z.array(z.object({ _id: z.string(), reason: z.string(), start: minutes, end: minutes, pods: podIndexes })),
  hours: z
    .array(
      z.object({
        day: z.int().check(z.describe('Number of days after `date`.')),
        pods: podIndexes,
        spans: z.array(z.object({ from: minutes, to: minutes })).check(z.describe('Empty when closed all day.')),
      }),
    )
    .check(z.describe('Opening hours on a day, where they differ from 06:00–24:00.')),
})
export type Schedule = z.infer<typeof ScheduleSchema>

export const scheduleEndpoints = {
  get: endpoint(routes.schedule.get, { query: ScheduleQuery, response: ScheduleSchema }),
}
