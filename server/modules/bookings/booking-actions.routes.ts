import type { BookingPage, bookingActionEndpoints } from '#contract/booking-actions.ts'
import type { AppContext, SignedIn } from '#server/context.ts'
import type { Handlers } from '#server/http/handler.ts'
import * as service from './booking-actions.service.ts'
import { getBookingPolicy, setBookingPolicy, setLocationPolicy } from './booking-policy.service.ts'

export const bookingActionHandlers: Handlers<typeof bookingActionEndpoints> = {
  get: ({ context, session, params }) => service.getBookingPage(context, session, params.id),

  move: async ({ context, actor, session, params, body }) => {
    await service.moveBooking(context, actor, session, params.id, body)
    return show(context, session, params.id)
  },

  previewMove: ({ context, session, params, body }) => service.previewMove(context, session, params.id, body),

  cancel: async ({ context, actor, session, params, body }) => {
    await service.cancelBooking(context, actor, session, params.id, body)
    return show(context, session, params.id)
  },

  reinstate: async ({ context, actor, session, params, body }) => {
    await service.reinstateBooking(context, actor, session, params.id, body)
    return show(context, session, params.id)
  },

  checkIn: async ({ context, actor, session, params, body }) => {
    await service.checkIn(context, actor, session, params.id, body)
    return show(context, session, params.id)
  },

  undoCheckIn: async ({ context, actor, session, params }) => {
    await service.undoCheckIn(context, actor, session, params.id)
    return show(context, session, params.id)
  },

  noShow: async ({ context, actor, session, params, body }) => {
    await service.markNoShow(context, actor, session, params.id, body)
    return show(context, session, params.id)
  },

  end: async ({ context, actor, session, params, body }) => {
    await service.endBooking(context, actor, session, params.id, body)
    return show(context, session, params.id)
  },

  note: async ({ context, actor, session, params, body }) => {
    await service.setNote(context, actor, session, params.id, body)
    return show(context, session, params.id)
  },

  arrivals: ({ context, query }) => service.getArrivals(context, query.location),

  checkInByCode: async ({ context, actor, session, body }) => {
    const id = await service.checkInByCode(context, actor, session, body.code)
    return show(context, session, id)
  },

  getPolicy: ({ context }) => getBookingPolicy(context.db),

  setPolicy: ({ context, actor, body }) => setBookingPolicy(context.db, actor, body),

  setLocationPolicy: ({ context, actor, params, body }) => setLocationPolicy(context.db, actor, params.id, body),
}

/** The booking as it is since the change. */
function show(context: AppContext, session: SignedIn, id: string): Promise<BookingPage> {
  return service.getBookingPage(context, session, id)
}
