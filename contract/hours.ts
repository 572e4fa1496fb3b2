import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { toRequiredMessage } from './errors.ts'
import { dateText, optionalText, queryInteger, recordId, version } from './fields.ts'
import { findSpanProblem, weekdays } from './opening-hours.ts'
import { routes } from './routes.ts'
import { marks } from './slots.ts'

const mark = (label: string) =>
  z.string(toRequiredMessage(label)).check(
    z.refine((value) => marks.includes(value), {
      error: `${label} must be a quarter of an hour from 06:00 to 24:00`,
    }),
  )

/** At most 36 spans, as a day has 72 quarter-hour slots. */
const SpansSchema = z.array(z.object({ opens: mark('Opens'), closes: mark('Closes') }), 'Spans are required').check(
  z.maxLength(36, 'At most 36 spans'),
  z.superRefine((spans, context) => {
    const problem = findSpanProblem(spans)
    if (problem) context.addIssue({ code: 'custom', message: problem.message, path: [problem.index, problem.part] })
  }),
)

const DayHoursSchema = z.object({
  weekday: z.literal([...weekdays], 'weekday must be 1 (Monday) to 7 (Sunday)'),
  spans: SpansSchema,
})

const HourExceptionSchema = z.object({
  date: dateText('Date'),
  label: z._default(optionalText('Label', 100), ''),
  spans: SpansSchema,
})

/** Refuses every item with the same `key` as one before it. */
const uniqueBy = <Key extends string>(key: Key, message: string) =>
  z.superRefine<Record<Key, unknown>[]>((all, context) => {
    const known = new Set()
    for (const [index, one] of all.entries()) {
      if (known.has(one[key])) context.addIssue({ code: 'custom', message, path: [index, key] })
      known.add(one[key])
    }
  })

/** Weekdays that are left out follow the location's hours, or 06:00–24:00 when it has none for them. */
export const OpeningHoursBody = z.object({
  week: z
    .array(DayHoursSchema, 'week is required')
    .check(z.maxLength(weekdays.length, 'A week has 7 days'), uniqueBy('weekday', 'A weekday is given twice')),
  exceptions: z
    .array(HourExceptionSchema, 'exceptions are required')
    .check(z.maxLength(1000, 'At most 1000 exceptions'), uniqueBy('date', 'A date is given twice')),
})
export type OpeningHoursBody = z.infer<typeof OpeningHoursBody>

const OpeningHoursSchema = z.extend(OpeningHoursBody, {
  name: z.string(),
  country: z.string(),
  /** For a pod: the hours of its location. Null for a location. */
  location: z.nullable(OpeningHoursBody),
  /** The version of the location or pod. */
  version,
})
export type OpeningHours = z.infer<typeof OpeningHoursSchema>

const SavedHoursSchema = z.extend(OpeningHoursSchema, {
  /** The upcoming bookings that are outside the hours now, and the date of the first. They stay. */
  bookingsOutside: z.object({ count: z.int(), firstDate: z.nullable(z.string()) }),
})
export type SavedHours = z.infer<typeof SavedHoursSchema>

const scope = z.object({ location: z.optional(recordId), pod: z.optional(recordId) }).check(
  z.refine(({ location, pod }) => (location === undefined) !== (pod === undefined), {
    error: 'Either location or pod is required',
    path: ['location'],
  }),
)

const HolidaySchema = z.object({ date: z.string(), name: z.string() })
export type Holiday = z.infer<typeof HolidaySchema>

export const hourEndpoints = {
  get: endpoint(routes.hours.get, { query: scope, response: OpeningHoursSchema }),
  update: endpoint(routes.hours.update, { query: scope, body: OpeningHoursBody, response: SavedHoursSchema }),
  holidays: endpoint(routes.hours.holidays, {
    query: z.object({
      year: queryInteger('year', 1970, 2100),
      country: z.string('country is required').check(z.regex(/^[A-Za-z]{2}$/, 'country must be a code such as ZA')),
    }),
    response: z.array(HolidaySchema),
  }),
}
