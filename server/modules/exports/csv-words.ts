/** Words that several reports share, as the screens say them (spec §2). */

export const NOT_AVAILABLE = 'N/A'

export function toStatusWord(isBlocked: boolean): string {
  return isBlocked ? 'Inactive' : 'Active'
}

/** A booking's wall clock, '9:00 AM'; it is labelled Z and is never converted to a zone (decisions §1). */
export function toTimeWord(wallClock: Date): string {
  const hour = wallClock.getUTCHours()
  const minute = String(wallClock.getUTCMinutes()).padStart(2, '0')
  return `${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`
}

export function toFullName(person: { firstname: string; lastname: string }): string {
  return `${person.firstname} ${person.lastname}`.trim()
}
