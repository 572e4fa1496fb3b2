import type { BookingPage, bookingActionEndpoints } from '#contract/booking-actions.ts'
import { inOneTransaction } from '#server/db/transaction.ts'
import type { Handlers } from '#server/http/handler.ts'
import * as arrivals from './arrivals.service.ts'
import * as service from './booking-actions.service.ts'
import { getBookingPage, listFreePods } from './booking-page.service.ts'
import { getBookingPolicy, setBookingPolicy, setLocationPolicy, setNoShowMinutes } from './booking-policy.service.ts'
import type { BookingRequest } from './change-booking.ts'
import { moveBooking, previewMove } from './move-booking.service.ts'

type Input<Body> = Omit<BookingRequest, 'id'> & { params: { id: string }; body: Body }

/** Returns a handler that changes a booking and responds with its new state. */
function changing<Body>(change: (request: BookingRequest, body: Body) => Promise<void>) {
  return ({ context, actor, session, params: { id }, body }: Input<Body>): Promise<BookingPage> =>
    inOneTransaction(context, async (context) => {
      await change({ context, actor, session, id }, body)
      return getBookingPage(context, session, id)
    })
}

export const bookingActionHandlers: Handlers<typeof bookingActionEndpoints> = {
  get: ({ context, session, params }) => getBookingPage(context, session, params.id),
  move: changing(moveBooking),
  previewMove: ({ context, session, params, body }) => previewMove(context, session, params.id, body),
  freePods: ({ context, session, params }) => listFreePods(context, session, params.id),
  cancel: changing(service.cancelBooking),
  reinstate: changing(service.reinstateBooking),
  end: changing(service.endBooking),
  note: changing(service.setNote),
  checkIn: changing(arrivals.checkIn),
  undoCheckIn: changing(arrivals.undoCheckIn),
  noShow: changing(arrivals.markNoShow),

  checkInByCode: ({ context, actor, session, body }) =>
    inOneTransaction(context, async (context) => {
      const id = await arrivals.checkInByCode({ context, actor, session }, body.code)
      return getBookingPage(context, session, id)
    }),

  arrivals: ({ context, query, session: { locations } }) =>
    context.shareRead(['arrivals', query, locations], () => arrivals.getArrivals(context, query)),
  getPolicy: ({ context }) => getBookingPolicy(context.db),
  setPolicy: ({ context, actor, body }) => setBookingPolicy(context.db, actor, body),
  setLocationPolicy: ({ context, actor, params, body }) => setLocationPolicy(context.db, actor, params.id, body),

  setNoShowMinutes: ({ context, actor, body }) => setNoShowMinutes(context.db, actor, body.noShowMinutes),
}
