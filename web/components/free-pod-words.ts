import type { FreeInstead } from '#contract/booking-actions.ts'
import { toCounted } from '#web/lib/format.ts'

/** Names a pod that is offered instead of another, with its city if that is given, and its seats if they are fewer. */
export function toFreePodText(pod: Omit<FreeInstead['pods'][number], 'podId'>, city?: string): string {
  const { podTitle, locationName, fewerSeats } = pod
  const seats = fewerSeats === null ? undefined : `only ${toCounted(fewerSeats, 'seat', 'seats')}`
  return [podTitle, locationName, city, seats].filter((part) => part !== undefined).join(', ')
}
