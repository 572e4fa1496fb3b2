import type { locationEndpoints } from '#contract/locations.ts'
import { isPage } from '#server/db/lists/pagination.ts'
import type { Handlers } from '#server/http/handler.ts'
import { paged, streamed } from '#server/http/results.ts'
import { countUpcomingBookings } from '../bookings/bookings.service.ts'
import { listLocationBatches, listLocations } from './locations.repository.ts'
import { createLocation, deleteLocation, getLocation, updateLocation } from './locations.service.ts'

export const locationHandlers: Handlers<typeof locationEndpoints> = {
  list: async ({ context, query }) => {
    if (!isPage(query)) return streamed(listLocationBatches(context.db, query))
    return paged(await listLocations(context.db, query))
  },

  get: ({ context, params }) => getLocation(context.db, params.id),

  create: ({ context, body }) => createLocation(context.db, body),

  update: ({ context, params, body }) => updateLocation(context.db, params.id, body),

  block: async ({ context, params }) => {
    await updateLocation(context.db, params.id, { isBlocked: true })
    return {
      message: 'Location blocked successfully',
      ...(await countUpcomingBookings(context, 'location', params.id)),
    }
  },

  unblock: async ({ context, params }) => {
    await updateLocation(context.db, params.id, { isBlocked: false })
    return { message: 'Location unblocked successfully' }
  },

  delete: async ({ context, params }) => {
    await deleteLocation(context.db, params.id, context.clock.now())
    return { message: 'Location deleted successfully' }
  },

  upcomingBookings: ({ context, params }) => countUpcomingBookings(context, 'location', params.id),
}
