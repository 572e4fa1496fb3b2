import type { LocationListItem, locationEndpoints } from '#contract/locations.ts'
import { PAGE } from '#contract/pages.ts'
import type { SignedIn } from '#server/context.ts'
import type { Handlers } from '#server/http/handler.ts'
import { listed } from '#server/http/results.ts'
import { blockAndCount, countUpcomingBookings } from '../bookings/bookings.service.ts'
import { createOnce } from '../idempotency/create-once.ts'
import { listLocations } from './locations.repository.ts'
import { createLocation, deleteLocation, getLocation, setLocationBlocked, updateLocation } from './locations.service.ts'

export const locationHandlers: Handlers<typeof locationEndpoints> = {
  list: ({ context, query, session }) => listed(query, listLocations(context.db, query, toVisibleLocation(session))),

  get: ({ context, params }) => getLocation(context.db, params.id),

  create: ({ context, actor, body }) => createOnce(context, actor, ({ db }) => createLocation(db, actor, body)),

  update: ({ context, actor, params, body }) => updateLocation(context, actor, params.id, body),

  block: ({ context, actor, params }) =>
    blockAndCount(context, 'location', params.id, (inTx) => setLocationBlocked(inTx, actor, params.id, true)),

  unblock: async ({ context, actor, params }) => {
    await setLocationBlocked(context, actor, params.id, false)
    return { message: 'Location unblocked successfully' }
  },

  delete: async ({ context, actor, params }) => {
    await deleteLocation(context.db, actor, params.id)
    return { message: 'Location deleted successfully' }
  },

  upcomingBookings: ({ context, params }) => countUpcomingBookings(context, 'location', params.id),
}

/** Hides the closure, with its reason, from staff who lack both the Locations and the Pods page. */
function toVisibleLocation({ pages }: SignedIn): (location: LocationListItem) => LocationListItem {
  const maySee = pages.includes(PAGE.locations) || pages.includes(PAGE.pods)
  return (location) => (maySee ? location : { ...location, closure: null })
}
