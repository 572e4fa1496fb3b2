import type { AffectedBooking } from '#contract/closures.ts'
import { MINUTE } from '#contract/durations.ts'

type Pod = AffectedBooking['free'][number]

/**
 * Chooses a pod for each booking, by booking id: the most similar one in its city that is as large, is free and that no
 * other of them moves to then. Bookings for which none is left are absent.
 */
export function chooseMoves(bookings: readonly AffectedBooking[]): Map<string, string> {
  const { isLeft, take } = trackTaken()
  const moves = new Map<string, string>()
  for (const booking of bookings) {
    const equal = booking.free.filter(({ city, fewerSeats }) => city === booking.city && fewerSeats === null)
    const pod = equal.find((one) => isLeft(one, booking))
    if (!pod) continue
    take(pod, booking)
    moves.set(booking._id, pod.podId)
  }
  return moves
}

/**
 * Returns why bookings cannot move to the pods that were chosen for them, by booking id. A pod may have been taken or
 * closed since, or be the choice for two bookings at the same time.
 */
export function findWrongMoves(
  bookings: readonly AffectedBooking[],
  decisions: ReadonlyMap<string, string>,
): Map<string, string> {
  const { isLeft, take } = trackTaken()
  const wrong = new Map<string, string>()
  for (const booking of bookings) {
    const decision = decisions.get(booking._id) ?? ''
    if (decision === '' || decision === 'cancel' || decision === 'leave') continue
    const pod = booking.free.find(({ podId }) => podId === decision)
    if (!pod) wrong.set(booking._id, 'The pod that was chosen is not free any more. Choose again.')
    else if (!isLeft(pod, booking)) wrong.set(booking._id, 'Another of these bookings moves there then. Choose again.')
    else take(pod, booking)
  }
  return wrong
}

/** Keeps track of the times that bookings take in the pods they move to, including the cleaning between them. */
function trackTaken() {
  const taken = new Map<string, { start: number; end: number }[]>()
  const toTimes = ({ startTime, endTime }: AffectedBooking) => ({
    start: Date.parse(startTime),
    end: Date.parse(endTime),
  })
  return {
    isLeft: ({ podId, bufferMinutes }: Pod, booking: AffectedBooking) => {
      const { start, end } = toTimes(booking)
      const cleaning = bufferMinutes * MINUTE
      return (taken.get(podId) ?? []).every((one) => one.end + cleaning <= start || end + cleaning <= one.start)
    },
    take: ({ podId }: Pod, booking: AffectedBooking) =>
      void taken.set(podId, [...(taken.get(podId) ?? []), toTimes(booking)]),
  }
}
