import { toClockLabel } from '#contract/slots.ts'

/** Formatters for counts, rates, dates and times, with the same output on every screen and in every browser. */

const count = new Intl.NumberFormat('en')
const oneDecimal = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const upToFourDecimals = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 })
const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })

/** Formats a count: '3,603'. */
export function toCountText(number: number): string {
  return count.format(number)
}

/** Formats a count with its noun: '1 pod', '3,603 pods'. */
export function toCounted(number: number, one: string, many: string): string {
  return `${toCountText(number)} ${number === 1 ? one : many}`
}

/** Formats bytes as '12.3 MB'. */
export function toMegabytesText(bytes: number): string {
  return `${oneDecimal.format(bytes / 1_000_000)} MB`
}

/** Formats a rate per minute with all of its decimals: 'R 2.50', 'R 2.3475'. */
export function toRateText(rate: number): string {
  return `R\u00A0${upToFourDecimals.format(rate).replaceAll(',', '\u00A0')}`
}

/** Formats '2026-11-21T09:00:00.000Z' as '9:00 AM': it is the pod's wall clock labelled Z, so no time zone applies. */
export function toWallTime(time: string): string {
  return toClockLabel(time.slice(11, 16))
}

/** Formats an interval: '9:00 AM - 10:30 AM'. */
export function toWallTimeRange({ startTime, endTime }: { startTime: string; endTime: string }): string {
  return `${toWallTime(startTime)} - ${toWallTime(endTime)}`
}

/** Returns the name of a time zone, all year round: 'South Africa Standard Time', 'Central European Time'. */
export function toZoneName(timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longGeneric' }).formatToParts()
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

/** Formats a calendar day: '2026-11-23, Monday'. */
export function toDateText(date: string): string {
  return `${date}, ${weekday.format(new Date(`${date}T00:00:00.000Z`))}`
}

/** Converts '+27 82 123-4567' to 'tel:+27821234567'. */
export function toPhoneLink(phone: string): string {
  return `tel:${phone.replaceAll(/[^+\d]/g, '')}`
}
