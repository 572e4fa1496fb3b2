import type { MoveQuote } from '#contract/booking-actions.ts'
import { toWallTimeRange } from '#web/lib/format.ts'

type Obstacle = Pick<MoveQuote['reasons'][number], 'message' | 'booking'>

/** Returns 'Booking with the same date and time already exists: Ayesha Patel, 9:00 AM - 10:00 AM.'. */
export function toObstacleText({ message, booking }: Obstacle): string {
  if (!booking) return message
  return `${message.replace(/\.$/, '')}: ${booking.company ?? booking.username}, ${toWallTimeRange(booking)}.`
}

/** Returns each text once. */
export function listObstacleTexts(obstacles: readonly Obstacle[]): string[] {
  return [...new Set(obstacles.map(toObstacleText))]
}
