/** Milliseconds that the server's clock is ahead of the browser's. */
let ahead = 0

/** Within this the browser's clock counts as right: responses take a while, and their dates are in whole seconds. */
const TOLERANCE_MS = 60_000

/** Learns the server's time from the Date header of a response. */
export function learnServerTime(date: string | null): void {
  const difference = Date.parse(date ?? '') - Date.now()
  if (!Number.isNaN(difference)) ahead = Math.abs(difference) < TOLERANCE_MS ? 0 : difference
}

/** Returns the time by the server's clock, whatever the browser's says (rules §1.2). */
export function getServerTime(): Date {
  return new Date(Date.now() + ahead)
}
