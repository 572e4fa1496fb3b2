import { PAGE } from '#contract/pages.ts'
import type { Pod, podEndpoints } from '#contract/pods.ts'
import type { SignedIn } from '#server/context.ts'
import { isPage } from '#server/db/lists/pagination.ts'
import type { Handlers } from '#server/http/handler.ts'
import { paged, streamed } from '#server/http/results.ts'
import { countUpcomingBookings, toBusinessNow } from '../bookings/bookings.service.ts'
import { createOnce } from '../idempotency/create-once.ts'
import { exportPods } from './pods.list.ts'
import { listPodBatches, listPods } from './pods.repository.ts'
import * as service from './pods.service.ts'

export const podHandlers: Handlers<typeof podEndpoints> = {
  list: async ({ context, query, session }) => {
    const toVisible = toVisiblePod(session)
    const now = toBusinessNow(context)
    if (!isPage(query)) return streamed(listPodBatches(context.db, query, now, toVisible))
    const page = await listPods(context.db, query, now)
    return paged({ ...page, rows: page.rows.map(toVisible) })
  },
  get: async ({ context, params, session }) => toVisiblePod(session)(await service.getPod(context.db, params.id)),
  create: ({ context, actor, body }) =>
    createOnce(context, actor, (context) => service.createPod(context, actor, body)),
  update: ({ context, actor, params, body }) => service.updatePod(context, actor, params.id, body),
  block: async ({ context, actor, params }) => {
    await service.setPodBlocked(context, actor, params.id, true)
    return { message: 'Pod blocked successfully', ...(await countUpcomingBookings(context, 'pod', params.id)) }
  },
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
