/** The clock of a pod's day: 73 marks from 06:00 to 24:00, a quarter of an hour apart (spec §9, decisions §2). */
export const SLOT_MINUTES = 15
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

export function toMark(minutesOfDay: number): string {
  return `${String(Math.floor(minutesOfDay / 60)).padStart(2, '0')}:${String(minutesOfDay % 60).padStart(2, '0')}`
}

export function toMinutes(mark: string): number {
  return Number(mark.slice(0, 2)) * 60 + Number(mark.slice(3, 5))
}

/** Wall clock of a mark on a date, labelled Z; 24:00 is 00:00 of the next day (decisions §1, §2). */
export function toWireTime(date: string, mark: string): string {
  return new Date(Date.parse(`${date}T00:00:00.000Z`) + toMinutes(mark) * 60_000).toISOString()
}

/** The business time zone's wall clock at an instant, labelled Z, so that it compares with booking times. */
export function toWallClock(instant: Date, timeZone: string): Date {
  const parts = Object.fromEntries(
    wallClockFormat(timeZone)
      .formatToParts(instant)
      .map((part) => [part.type, part.value]),
  )
  return new Date(`${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}.000Z`)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Kept by zone: making one costs more than all the rest of a request's date arithmetic. */
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
