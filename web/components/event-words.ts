import { webhookEvents } from '#contract/webhook-events.ts'

/** Names for staff of the kinds of records that webhooks are told of. */
const kindNames: Record<keyof typeof webhookEvents, string> = {
  booking: 'Bookings',
  pod: 'Pods',
  location: 'Locations',
  feature: 'Features',
  customer: 'Users',
  company: 'Companies',
}

/** For each kind of record, the events that can be chosen: all of them, or single ones. */
export const eventGroups = Object.entries(webhookEvents).map(([kind, words]) => ({
  name: kindNames[kind as keyof typeof webhookEvents], // kinds are the keys of `webhookEvents`
  all: `${kind}.*`,
  events: words.map((word) => ({ event: `${kind}.${word}`, word })),
}))

/** Formats chosen events: 'Bookings: all; Pods: created, changed'. */
export function toEventsText(events: readonly string[]): string {
  return eventGroups
    .flatMap((group) => {
      const words = group.events.filter(({ event }) => events.includes(event)).map(({ word }) => word)
      if (events.includes(group.all)) return [`${group.name}: all`]
      return words.length === 0 ? [] : [`${group.name}: ${words.join(', ')}`]
    })
    .join('; ')
}
