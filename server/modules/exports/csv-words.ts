import { toClockLabel } from '#contract/slots.ts'

/** Words that several reports share, as the screens say them (spec §2). */

export const NOT_AVAILABLE = 'N/A'

export function toStatusWord(isBlocked: boolean): string {
  return isBlocked ? 'Inactive' : 'Active'
}

/** '9:00 AM' of a booking's wall clock; it is labelled Z and is never converted to a zone (decisions §1). */
export function toTimeWord(wallClock: Date | string): string {
  return toClockLabel(new Date(wallClock).toISOString().slice(11, 16))
}

export function toFullName(person: { firstname: string; lastname: string }): string {
  return `${person.firstname} ${person.lastname}`.trim()
}
