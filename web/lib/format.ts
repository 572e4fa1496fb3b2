import { toClockLabel } from '#contract/slots.ts'

/** How the portal writes counts, amounts, dates and times: the same on every screen and in every browser. */

const count = new Intl.NumberFormat('en')
const decimals = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })

/** '3,603' */
export function toCountText(number: number): string {
  return count.format(number)
}

/** '1 pod', '3,603 pods' */
export function toCounted(number: number, one: string, many: string): string {
  return `${toCountText(number)} ${number === 1 ? one : many}`
}

/**
 * '1 234.50', with spaces that no line breaks at, as South Africans write it. The decimal point is that of the fields in
 * which rates are typed; what `en-ZA` makes of it changes with the browser's release.
 */
export function toAmountText(amount: number): string {
  return decimals.format(amount).replaceAll(',', '\u00A0')
}

/** 'R 1 234.50'; any other currency by its code. */
export function toMoneyText(amount: number, currency = 'ZAR'): string {
  const symbol = currency === 'ZAR' ? 'R' : currency
  return `${amount < 0 ? '-' : ''}${symbol}\u00A0${toAmountText(Math.abs(amount))}`
}

/** '9:00 AM' of '2026-11-21T09:00:00.000Z': the pod's wall clock labelled Z, read as it stands and never in the browser's zone. */
export function toWallTime(time: string): string {
  return toClockLabel(time.slice(11, 16))
}

/** '9:00 AM - 10:30 AM' */
export function toWallTimeRange({ startTime, endTime }: { startTime: string; endTime: string }): string {
  return `${toWallTime(startTime)} - ${toWallTime(endTime)}`
}

/** '2026-11-23, Monday'; a date is a day of the calendar and never an instant. */
export function toDateText(date: string): string {
  return `${date}, ${weekday.format(new Date(`${date}T00:00:00.000Z`))}`
}

/** 'tel:+27821234567' of '+27 82 123-4567' */
export function toPhoneLink(phone: string): string {
  return `tel:${phone.replaceAll(/[^+\d]/g, '')}`
}
