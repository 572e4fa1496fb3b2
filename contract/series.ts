import * as z from 'zod/mini'
import { VisitBody } from './book-for.ts'
import { FreeInsteadSchema, FreePodSchema } from './booking-actions.ts'
import { bookingStatuses } from './booking-statuses.ts'
import { endpoint } from './endpoint.ts'
import {
  dateText,
  idLike,
  MessageSchema,
  numberLike,
  optionalText,
  queryAmount,
  shownPrice,
  timeText,
  version,
  wallClock,
} from './fields.ts'
import { WEEKDAY_REQUIRED, weekdayCodes } from './opening-hours.ts'
import { routes } from './routes.ts'

export type Weekday = (typeof weekdayCodes)[number]

export const MOST_OCCURRENCES = 200

const Repeats = z.object({
  weekdays: z.optional(
    z
      .array(z.enum(weekdayCodes, 'weekdays must be such as MO and TU'), 'weekdays must be a list')
      .check(
        z.minLength(1, WEEKDAY_REQUIRED),
        z.maxLength(weekdayCodes.length, 'A week has 7 days'),
        z.describe('When absent, the weekday of the first date.'),
      ),
  ),
  /** 2 for every other week. */
  everyWeeks: z.optional(numberLike('Weeks', { min: 1, max: 26, decimals: 0 })),
  until: dateText('Until').check(z.describe('The last possible date of a booking.')),
})

const times = {
  startTime: wallClock('Start time'),
  endTime: wallClock('End time', '10:00'),
}

/** The first booking and how it repeats, at the same wall-clock time on each date. */
const SeriesQuestion = z.object({
  podId: idLike('Pod'),
  bookingDate: dateText('Booking date'),
  ...times,
  repeats: Repeats,
})
export type SeriesQuestion = z.infer<typeof SeriesQuestion>

const ObstacleSchema = z.object({ code: z.string(), message: z.string() })

const OccurrenceSchema = z.object({
  date: z.string(),
  startTime: timeText,
  endTime: timeText,
  /** Everything that prevents the booking; empty when the time is free. */
  reasons: z.array(ObstacleSchema),
  /**
   * Free times of the same length on the same date in that pod, and similar pods that are free at that time, with what
   * the booking would cost there in ZAR; null when it is not paid for.
   */
  free: z.object({
    times: FreeInsteadSchema.shape.times,
    pods: z.array(z.extend(FreePodSchema, { price: z.nullable(z.number()) })),
  }),
})
export type Occurrence = z.infer<typeof OccurrenceSchema>

const UNKNOWN_CHOICE = 'action must be skip or move'

/** Another pod, other times, or both. */
const elsewhere = {
  action: z.literal('move'),
  podId: z.optional(idLike('Pod')),
  startTime: z.optional(times.startTime),
  endTime: z.optional(times.endTime),
  newPrice: shownPrice,
}

/** What to do about one date: skip it, or book elsewhere. */
const Choice = z.discriminatedUnion(
  'action',
  [z.object({ date: dateText('date'), action: z.literal('skip') }), z.object({ date: dateText('date'), ...elsewhere })],
  UNKNOWN_CHOICE,
)
export type SeriesChoice = z.infer<typeof Choice>

export const SeriesBody = z.extend(VisitBody, {
  ...SeriesQuestion.shape,
  choices: z.optional(z.array(Choice).check(z.maxLength(MOST_OCCURRENCES, 'There are too many choices'))),
})
export type SeriesBody = z.infer<typeof SeriesBody>

const SeriesSchema = z.object({
  _id: z.string(),
  podId: z.string(),
  podTitle: z.string(),
  bookingPurpose: z.string(),
  /** RFC 5545, such as FREQ=WEEKLY;BYDAY=MO. */
  rule: z.string(),
  /** In chronological order. */
  bookings: z.array(
    z.object({
      _id: z.string(),
      podId: z.string(),
      podTitle: z.string(),
      locationName: z.string(),
      bookingDate: z.string(),
      startTime: timeText,
      endTime: timeText,
      status: z.enum(bookingStatuses),
      /**
       * Whether the booking begins after now and is not cancelled, so that it can be changed and cancelled with the
       * others.
       */
      isUpcoming: z.boolean(),
      /** ZAR that were paid and not paid back. */
      paid: z.number(),
      /** ZAR that would be refunded if the booking were cancelled now. */
      refund: z.number(),
    }),
  ),
  /** Set if it also has bookings at locations that the person does not have, who then cannot change several at once. */
  hasOtherBookings: z.optional(z.boolean()),
  version,
})
export type Series = z.infer<typeof SeriesSchema>

/** Which bookings of a series: one, that one and those after it, or all upcoming ones. */
const ScopeQuery = z.object({
  scope: z.enum(['this', 'following', 'all'], 'scope must be this, following or all'),
  booking: z.optional(idLike('booking').check(z.describe('The booking that `this` and `following` start from.'))),
})
export type ScopeQuery = z.infer<typeof ScopeQuery>

/** A cancellation follows the policy of each booking unless it is caused by us. */
const CancelQuery = z.extend(ScopeQuery, {
  reason: z.optional(optionalText('Reason', 500)),
  /** Refunds everything that was paid and not paid back. */
  causedByUs: z.optional(z.enum(['true', 'false'], 'causedByUs must be true or false')),
  shownRefund: z.optional(
    queryAmount('shownRefund').check(
      z.describe(
        'ZAR that were shown to be given back for all of them: 409 refund_changed if it is another sum by now.',
      ),
    ),
  ),
})
export type SeriesCancelQuery = z.infer<typeof CancelQuery>

/** The times of day are taken from the given wall clocks; each booking keeps its date. */
const SeriesEdit = z.partial(
  z.object({
    podId: idLike('Pod'),
    ...times,
    /** The customers neither pay more nor get a refund. */
    causedByUs: z.boolean('causedByUs must be true or false'),
  }),
)
export type SeriesEdit = z.infer<typeof SeriesEdit>

/** What to do about a booking that cannot be changed in this way: leave it as it is, or move it elsewhere. */
const BookingChoice = z.discriminatedUnion(
  'action',
  [
    z.object({ bookingId: idLike('Booking'), action: z.literal('skip') }),
    z.object({ bookingId: idLike('Booking'), ...elsewhere }),
  ],
  UNKNOWN_CHOICE,
)

const SeriesUpdate = z.extend(SeriesEdit, {
  choices: z.optional(z.array(BookingChoice).check(z.maxLength(MOST_OCCURRENCES, 'There are too many choices'))),
  /**
   * What was shown of the bookings: the price after the move, for those without a choice, and the version, as each may
   * have been changed on its own meanwhile.
   */
  prices: z.optional(
    z
      .array(z.object({ bookingId: idLike('Booking'), newPrice: shownPrice, version: z.optional(version) }))
      .check(z.maxLength(MOST_OCCURRENCES, 'There are too many prices')),
  ),
})
export type SeriesUpdate = z.infer<typeof SeriesUpdate>

const MovedOccurrenceSchema = z.extend(OccurrenceSchema, {
  bookingId: z.string(),
  version,
  /** ZAR after the move; null when the booking was not sold through this platform. */
  newPrice: z.nullable(z.number()),
  /** The change of the price in ZAR; negative when it becomes cheaper. */
  difference: z.number(),
})
export type MovedOccurrence = z.infer<typeof MovedOccurrenceSchema>

export const seriesEndpoints = {
  preview: endpoint(routes.series.preview, {
    body: SeriesQuestion,
    response: z.object({ occurrences: z.array(OccurrenceSchema) }),
  }),
  create: endpoint(routes.series.create, {
    body: SeriesBody,
    response: z.object({ message: z.string(), series: SeriesSchema }),
    status: 201,
  }),
  get: endpoint(routes.series.get, { response: SeriesSchema }),
  previewUpdate: endpoint(routes.series.previewUpdate, {
    query: ScopeQuery,
    body: SeriesEdit,
    response: z.object({ occurrences: z.array(MovedOccurrenceSchema) }),
  }),
  update: endpoint(routes.series.update, { query: ScopeQuery, body: SeriesUpdate, response: MessageSchema }),
  cancel: endpoint(routes.series.cancel, { query: CancelQuery, response: MessageSchema }),
}
