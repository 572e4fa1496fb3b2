import { toWallClock } from '#contract/slots.ts'
import { settings } from './settings.ts'

/** Today in the business time zone, 'YYYY-MM-DD'. */
export function findBusinessDay(): string {
  return toWallClock(new Date(), settings.businessTimeZone).toISOString().slice(0, 10)
}
