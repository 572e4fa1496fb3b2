import { DAY, MINUTE } from './durations.ts'

/** The day of a pod: 73 marks from 06:00 to 24:00, a quarter of an hour apart (rules §4.1). */
export const SLOT_MINUTES = 15
export const SLOT_MS = SLOT_MINUTES * MINUTE
export const OPENING_HOUR = 6
export const CLOSING_HOUR = 24
export const MAX_BOOKING_MINUTES = 180
export const purposes = ['meeting', 'work', 'personal'] as const
export const SUBMIT_THROTTLE_MS = 3000

/** 'HH:mm' of each mark, '06:00' … '24:00'. */
export const marks: readonly string[] = Array.from(
  { length: ((CLOSING_HOUR - OPENING_HOUR) * 60) / SLOT_MINUTES + 1 },
  (_, index) => toMark(OPENING_HOUR * 60 + index * SLOT_MINUTES),
)

/** The last mark; a booking can end but not start there. */
export const closingMark = `${CLOSING_HOUR}:00`

export function toMark(minutesOfDay: number): string {
  return `${String(Math.floor(minutesOfDay / 60)).padStart(2, '0')}:${String(minutesOfDay % 60).padStart(2, '0')}`
}

export function toMinutes(mark: string): number {
  return Number(mark.slice(0, 2)) * 60 + Number(mark.slice(3, 5))
}

/** Formats a mark as the portal shows times, such as '9:00 AM'; 24:00 is '12:00 AM'. */
export function toClockLabel(mark: string): string {
  const hour = Math.floor(toMinutes(mark) / 60) % 24
  return `${hour % 12 || 12}:${mark.slice(3, 5)} ${hour < 12 ? 'AM' : 'PM'}`
}

/** Formats the time of a wall clock labelled Z (rules §1.1), such as '9:00 AM'. */
export function toClockText(wallClock: Date): string {
  return toClockLabel(wallClock.toISOString().slice(11, 16))
}

/** Returns the minutes of an interval. */
export function countMinutes({ start, end }: { start: Date; end: Date }): number {
  return (end.getTime() - start.getTime()) / MINUTE
}

/** Returns the number of marks from first to last: an hour has five. */
export function countMarks(bookingMinutes: number): number {
  return bookingMinutes / SLOT_MINUTES + 1
}

/** Returns the wall clock of a mark on a date, labelled Z; 24:00 is 00:00 of the next day (rules §1.1, §4.1). */
export function toWireTime(date: string, mark: string): string {
  return new Date(Date.parse(`${date}T00:00:00.000Z`) + toMinutes(mark) * MINUTE).toISOString()
}

/** Returns the marks of a booking's wall clocks; 00:00 as an end becomes 24:00. */
export function toMarks({ startTime, endTime }: { startTime: string; endTime: string }): [string, string] {
  const end = endTime.slice(11, 16)
  return [startTime.slice(11, 16), end === '00:00' ? closingMark : end]
}

/** Returns the date of a wall clock. Cuts the time off: dates of years after 9999 have more than ten characters. */
export function toDate(wallClock: Date): string {
  return wallClock.toISOString().slice(0, -'T00:00:00.000Z'.length)
}

/**
 * Returns a time zone's wall clock at an instant, labelled Z and in whole seconds, so that it can be compared with
 * booking times.
 */
export function toWallClock(instant: Date, timeZone: string): Date {
  const seconds = Math.floor(instant.getTime() / 1000)
  return new Date((seconds + getOffset(Math.floor(seconds / 60), timeZone)) * 1000)
}

/**
 * Caches the offset of the last requested minute by time zone. It is nearly always the current minute, and formatting
 * costs more than a query.
 */
const lastOffsets = new Map<string, { minute: number; seconds: number }>()

/**
 * Returns the seconds by which a time zone is ahead of UTC in a given minute since 1970. Offsets change only between
 * minutes.
 */
function getOffset(minute: number, timeZone: string): number {
  const last = lastOffsets.get(timeZone)
  if (last?.minute === minute) return last.seconds
  const parts = Object.fromEntries(
    wallClockFormat(timeZone)
      .formatToParts(new Date(minute * MINUTE))
      .map((part) => [part.type, part.value]),
  )
  const shown = `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}.000Z`
  const seconds = Date.parse(shown) / 1000 - minute * 60
  lastOffsets.set(timeZone, { minute, seconds })
  return seconds
}

/**
 * Returns the instant at which the time zone's clocks show a wall clock labelled Z: the inverse of toWallClock. A time
 * that occurs twice resolves to its first occurrence; one that is skipped is read with the offset before the change.
 */
export function toInstant(wallClock: Date, timeZone: string): Date {
  // Whole seconds, as in toWallClock.
  const wall = Math.floor(wallClock.getTime() / 1000) * 1000
  const offsetAt = (instant: number) => toWallClock(new Date(instant), timeZone).getTime() - instant
  // No zone is more than a day from UTC and none changes twice within two days: these are the offsets before and after.
  const before = offsetAt(wall - DAY)
  const after = offsetAt(wall + DAY)
  if (offsetAt(wall - before) === before) return new Date(wall - before)
  return new Date(offsetAt(wall - after) === after ? wall - after : wall - before)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Cached by zone: creating one costs more than all other date arithmetic of a request. */
function wallClockFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(timeZone, format)
  return format
}
