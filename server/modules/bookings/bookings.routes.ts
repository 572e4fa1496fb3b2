import type { bookingEndpoints } from '#contract/bookings.ts'
import { isFirstPage } from '#server/db/lists/pagination.ts'
import type { Handlers } from '#server/http/handler.ts'
import { listed } from '#server/http/results.ts'
import { createOnce } from '../idempotency/create-once.ts'
import { bookFor } from './book-for.service.ts'
import { cancelBooking } from './booking-actions.service.ts'
import { exportBookings } from './bookings.export.ts'
import { listBookings } from './bookings.repository.ts'
import { createBooking, getAvailability, getBooking, toBusinessNow } from './bookings.service.ts'
import { requireMyBooking } from './change-booking.ts'
import { rebook } from './rebook.service.ts'

export const bookingHandlers: Handlers<typeof bookingEndpoints> = {
  availability: ({ context, params, query }) => getAvailability(context, params.podId, query.booking_date),

  create: ({ context, actor, session, params, body }) =>
    createOnce(context, actor, async (context) => ({
      message: 'Booking created successfully',
      booking: await createBooking(context, actor, session, params.podId, body),
    })),

  createFor: ({ context, actor, session, body }) =>
    createOnce(context, actor, async (context) => ({
      message: 'Booking created successfully',
      booking: await bookFor(context, actor, session, body),
    })),

  rebook: ({ context, actor, session, params, body }) =>
    createOnce(context, actor, async (context) => ({
      message: 'Booking created successfully',
      booking: await rebook({ context, actor, session, id: params.id }, body),
    })),

  get: async ({ context, session, params }) => {
    await requireMyBooking(context.db, params.id, session)
    return getBooking(context, params.id)
  },

  cancel: async ({ context, actor, session, params }) => {
    await cancelBooking({ context, actor, session, id: params.id }, {})
    return { message: 'Booking cancelled successfully' }
  },

  list: ({ context, query }) => {
    const db = isFirstPage(query) ? context.shortReads : context.db
    return listed(query, listBookings(db, query, toBusinessNow(context)))
  },

  export: exportBookings,
}
