import type { locationEndpoints } from '#contract/locations.ts'
import { isPage } from '#server/db/lists/pagination.ts'
import type { Handlers } from '#server/http/handler.ts'
import { paged, streamed } from '#server/http/results.ts'
import { countUpcomingBookings } from '../bookings/bookings.service.ts'
import { createOnce } from '../idempotency/create-once.ts'
import { listLocationBatches, listLocations } from './locations.repository.ts'
import { createLocation, deleteLocation, getLocation, setLocationBlocked, updateLocation } from './locations.service.ts'

export const locationHandlers: Handlers<typeof locationEndpoints> = {
  list: async ({ context, query }) => {
    if (!isPage(query)) return streamed(listLocationBatches(context.db, query))
    return paged(await listLocations(context.db, query))
  },

  get: ({ context, params }) => getLocation(context.db, params.id),

  create: ({ context, actor, body }) => createOnce(context, actor, ({ db }) => createLocation(db, actor, body)),

  update: ({ context, actor, params, body }) => updateLocation(context.db, actor, params.id, body),

  block: async ({ context, actor, params }) => {
    await setLocationBlocked(context.db, actor, params.id, true)
    return {
      message: 'Location blocked successfully',
      ...(await countUpcomingBookings(context, 'location', params.id)),
    }
  },

  unblock: async ({ context, actor, params }) => {
    await setLocationBlocked(context.db, actor, params.id, false)
    return { message: 'Location unblocked successfully' }
  },

  delete: async ({ context, actor, params }) => {
    await deleteLocation(context.db, actor, params.id)
    return { message: 'Location deleted successfully' }
  },

  upcomingBookings: ({ context, params }) => countUpcomingBookings(context, 'location', params.id),
}
