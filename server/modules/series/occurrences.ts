import { DAY } from '#contract/durations.ts'
import { MOST_OCCURRENCES, type SeriesQuestion } from '#contract/series.ts'
import { fieldError } from '#server/http/app-error.ts'
import { RRule } from '#server/rrule.ts'

/**
 * Lists the starts of a series. They are wall clocks labelled Z, like all times of bookings (rules §1.1), so that a day
 * always has 24 hours, and nine o'clock stays nine o'clock when the clocks change.
 */
export function listStarts({ startTime, repeats }: Pick<SeriesQuestion, 'startTime' | 'repeats'>): {
  rule: string
  starts: Date[]
} {
  const first = new Date(startTime)
  const rule = new RRule({
    freq: RRule.WEEKLY,
    interval: repeats.everyWeeks ?? 1,
    byweekday: repeats.weekdays ? repeats.weekdays.map((day) => RRule[day]) : null,
    dtstart: first,
    // Includes all of that day.
    until: new Date(Date.parse(`${repeats.until}T00:00:00.000Z`) + DAY - 1),
  })
  // Stops as soon as there are too many, as `until` may be a thousand years away.
  const starts = rule.all((_, index) => index <= MOST_OCCURRENCES)
  if (starts.length > MOST_OCCURRENCES) {
    throw fieldError('repeats.until', `A series has at most ${MOST_OCCURRENCES} bookings. Choose an earlier last date.`)
  }
  if (starts.length === 0)
    throw fieldError('repeats.until', 'There is no such day until then. Choose a later last date.')
  return { rule: RRule.optionsToString({ ...rule.origOptions, dtstart: null }).replace('RRULE:', ''), starts }
}
