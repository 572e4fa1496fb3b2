import { toClockLabel } from '#contract/slots.ts'

/** Booking times are the pod's wall clock labelled Z, read as they stand and never in the browser's zone (decisions §1). */

/** '9:00 AM' of '2026-11-21T09:00:00.000Z'. */
function toWallTime(time: string): string {
  return toClockLabel(time.slice(11, 16))
}

/** '9:00 AM - 10:30 AM' (spec §2). */
export function toWallTimeRange({ startTime, endTime }: { startTime: string; endTime: string }): string {
  return `${toWallTime(startTime)} - ${toWallTime(endTime)}`
}
