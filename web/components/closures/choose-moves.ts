import type { AffectedBooking } from '#contract/closures.ts'

const MINUTE_MS = 60_000

/**
 * Chooses a pod for each booking, by booking id: the most similar one in its city that is free and that no other of them
 * moves to then. Bookings for which none is left are absent.
 */
export function chooseMoves(bookings: readonly AffectedBooking[]): Map<string, string> {
  const taken = new Map<string, { start: number; end: number }[]>()
  const moves = new Map<string, string>()
  for (const { _id, city, free, startTime, endTime } of bookings) {
    const [start, end] = [Date.parse(startTime), Date.parse(endTime)]
    const pod = free.find(({ podId, city: itsCity, bufferMinutes }) => {
      const cleaning = bufferMinutes * MINUTE_MS
      const others = taken.get(podId) ?? []
      return itsCity === city && others.every((other) => other.end + cleaning <= start || end + cleaning <= other.start)
    })
    if (!pod) continue
    taken.set(pod.podId, [...(taken.get(pod.podId) ?? []), { start, end }])
    moves.set(_id, pod.podId)
  }
  return moves
}
