import { PAGE } from '#contract/pages.ts'
import type { Pod, podEndpoints } from '#contract/pods.ts'
import type { SignedIn } from '#server/context.ts'
import type { Handlers } from '#server/http/handler.ts'
import { listed } from '#server/http/results.ts'
import { blockAndCount, countUpcomingBookings, toBusinessNow } from '../bookings/bookings.service.ts'
import { createOnce } from '../idempotency/create-once.ts'
import { exportPods } from './pods.list.ts'
import { listPods } from './pods.repository.ts'
import * as service from './pods.service.ts'

export const podHandlers: Handlers<typeof podEndpoints> = {
  list: ({ context, query, session }) =>
    listed(query, listPods(context.db, query, toBusinessNow(context), toVisiblePod(session))),
  get: async ({ context, params, session }) => toVisiblePod(session)(await service.getPod(context.db, params.id)),
  create: ({ context, actor, body }) =>
    createOnce(context, actor, (context) => service.createPod(context, actor, body)),
  update: ({ context, actor, params, body }) => service.updatePod(context, actor, params.id, body),
  block: ({ context, actor, params }) =>
    blockAndCount(context, 'pod', params.id, (inTx) => service.setPodBlocked(inTx, actor, params.id, true)),
  unblock: async ({ context, actor, params }) => {
    await service.setPodBlocked(context, actor, params.id, false)
    return { message: 'Pod unblocked successfully' }
  },
  delete: async ({ context, actor, params }) => {
    await service.deletePod(context.db, actor, params.id)
    return { message: 'Pod deleted successfully' }
  },
  upcomingBookings: ({ context, params }) => countUpcomingBookings(context, 'pod', params.id),
  export: exportPods,
}

/** Empties the fields of the door device and hides the closure for staff without page 3, who only need to book pods. */
function toVisiblePod(session: SignedIn): (pod: Pod) => Pod {
  const keepsPods = session.pages.includes(PAGE.pods)
  return (pod) => (keepsPods ? pod : { ...pod, UserId: '', deviceId: '', serial: '', email: '', closure: null })
}
