import type { Closure, SavedClosure } from '#contract/closures.ts'
import { toWeekday, weekdayCodes, weekdayNames } from '#contract/opening-hours.ts'
import { addDays, isDay } from '#web/lib/days.ts'
import { toCounted, toWallTime } from '#web/lib/format.ts'

export function toScopeText({ location, pods }: Pick<Closure, 'location' | 'pods'>): string {
  if (location) return `All of ${location.name}`
  const [first, ...others] = pods
  if (first === undefined) return 'No pod'
  const places = new Set(pods.map(({ locationName, city }) => `${locationName}, ${city}`)).size
  const where = places === 1 ? `, ${first.locationName}` : ` at ${toCounted(places, 'location', 'locations')}`
  if (others.length === 0) return `${first.title}${where}`
  return `${first.title} and ${toCounted(others.length, 'other pod', 'other pods')}${where}`
}

/** Names what is closed in a few words, 'Aurora' or '2 pods'. */
export function toClosedName({ location, pods }: Pick<Closure, 'location' | 'pods'>): string {
  if (location) return location.name
  return pods.length === 1 ? pods.map(({ title }) => title).join() : toCounted(pods.length, 'pod', 'pods')
}

/** Adds to what was saved what became of the bookings: '2 pods closed. 3 bookings moved, 1 booking cancelled.' */
export function toSavedText(saved: string, { moved, cancelled }: Pick<SavedClosure, 'moved' | 'cancelled'>): string {
  const parts = [
    ...(moved > 0 ? [`${toCounted(moved, 'booking', 'bookings')} moved`] : []),
    ...(cancelled > 0 ? [`${toCounted(cancelled, 'booking', 'bookings')} cancelled`] : []),
  ]
  return parts.length === 0 ? saved : `${saved}. ${parts.join(', ')}.`
}

/** Returns '2026-11-23, 9:00 AM', in the wall clock of the pods. */
function toWallText(time: string): string {
  return `${time.slice(0, 10)}, ${toWallTime(time)}`
}

/** Returns the day and time of an end. Midnight is the end of the day before, as in the form. */
function toEnd(time: string): { day: string; clock: string } {
  const day = time.slice(0, 10)
  if (time.slice(11, 16) !== '00:00') return { day, clock: toWallTime(time) }
  return { day: addDays(day, -1), clock: 'end of day' }
}

/** Returns '2026-11-23, 9:00 AM', or '2026-11-23, end of day'. */
export function toEndText(time: string): string {
  const { day, clock } = toEnd(time)
  return `${day}, ${clock}`
}

export function toPeriodText({ starts, ends }: { starts: string; ends: string | null }): string {
  if (ends === null) return `${toWallText(starts)} until further notice`
  return `${toWallText(starts)} – ${toEndAfter(starts, ends)}`
}

/** Leaves the day out when it is that of the start. */
function toEndAfter(starts: string, ends: string): string {
  const { day, clock } = toEnd(ends)
  return day === starts.slice(0, 10) ? clock : toEndText(ends)
}

/** Returns the period and how it repeats as two lines that fit into a table column. */
export function toPeriodLines(period: { starts: string; ends: string | null }, rule: string | null): [string, string] {
  const { starts, ends } = period
  if (ends === null) return [toWallText(starts), 'Until further notice']
  return [`${toWallText(starts)} –`, `${toEndAfter(starts, ends)}, ${toInSentence(toRepeatText(rule))}`]
}

/** Leaves a rule as it is that has no words. */
const toInSentence = (words: string) => words.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())

const repeatOptions = [
  { value: '', label: 'Once' },
  { value: 'FREQ=DAILY', label: 'Every day' },
  { value: 'FREQ=WEEKLY', label: 'Every week' },
  { value: 'FREQ=MONTHLY', label: 'Every month' },
  { value: 'FREQ=YEARLY', label: 'Every year' },
]

/** Returns how a closure that starts on `date` can repeat, and `chosen`, which can be any other rule. */
export function toRepeatOptions(date: string, chosen: string): { value: string; label: string }[] {
  const weekdayRule = toMonthlyRule(date)
  const options = repeatOptions.flatMap((option) => {
    if (weekdayRule === undefined) return [option]
    if (option.value === 'FREQ=WEEKLY') return [{ ...option, label: `${option.label} on ${toWeekdayName(date)}` }]
    if (option.value !== 'FREQ=MONTHLY') return [option]
    const onWeekday = { value: weekdayRule, label: toRepeatText(weekdayRule) }
    return [{ ...option, label: `Every month on day ${Number(date.slice(8))}` }, onWeekday]
  })
  const isOffered = options.some(({ value }) => value === chosen)
  return isOffered ? options : [...options, { value: chosen, label: toRepeatText(chosen) }]
}

const toWeekdayName = (date: string) => weekdayNames[toWeekday(date) - 1]

const weeks: Record<string, string> = { '1': 'first', '2': 'second', '3': 'third', '4': 'fourth', '-1': 'last' }

/** Returns the rule for each month on the weekday of a date, such as its first Monday. */
export function toMonthlyRule(date: string): string | undefined {
  if (!isDay(date)) return undefined
  const week = Math.ceil(Number(date.slice(8)) / 7)
  return `FREQ=MONTHLY;BYDAY=${week > 4 ? -1 : week}${weekdayCodes[toWeekday(date) - 1]}`
}

export function isMonthlyOnWeekday(rule: string): boolean {
  return toMonthlyText(rule) !== undefined
}

function toMonthlyText(rule: string): string | undefined {
  const [, week = '', code] = /^FREQ=MONTHLY;BYDAY=(-1|[1-4])([A-Z]{2})$/.exec(rule) ?? []
  const name = weekdayNames.find((_, index) => weekdayCodes[index] === code)
  return name && `Every month on the ${weeks[week]} ${name}`
}

/** Describes a rule in words. Any other rule, which can come from clients of the API, is shown as it is. */
export function toRepeatText(rule: string | null): string {
  if (rule === null) return 'Once'
  const [frequency = '', until] = rule.split(/;?UNTIL=/)
  const words = repeatOptions.find(({ value }) => value === frequency)?.label ?? toMonthlyText(frequency) ?? frequency
  return until ? `${words} until ${until.slice(0, 4)}-${until.slice(4, 6)}-${until.slice(6, 8)}` : words
}
