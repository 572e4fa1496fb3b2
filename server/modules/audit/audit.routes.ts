import { type AuditEntity, auditEntities } from '#contract/audit-entities.ts'
import type { auditEndpoints } from '#contract/audit.ts'
import { routes } from '#contract/routes.ts'
import type { SignedIn } from '#server/context.ts'
import type { Db } from '#server/db/client.ts'
import { notFound } from '#server/http/app-error.ts'
import type { Handlers } from '#server/http/handler.ts'
import { paged } from '#server/http/results.ts'
import { requireOnePage } from '#server/http/session.ts'
import { isId } from '#server/ids.ts'
import { requireMyBooking } from '../bookings/change-booking.ts'
import { importArchive, receiveArchive } from './archive.ts'
import { exportChanges } from './audit.export.ts'
import { listChanges, toChangeFilter } from './audit.repository.ts'
import { requirePageOf, restoreRecord, undoChange } from './undo.service.ts'

export const auditHandlers: Handlers<typeof auditEndpoints> = {
  history: async ({ context, session, query }) => {
    await requireMayRead(context.db, query, session)
    const { rows, total } = await listChanges(context.db, { entity: query.entity, entityId: query.id }, query)
    // Where a colleague was is for those who read Activity.
    return paged({ rows: rows.map((change) => Object.assign(change, { address: null })), total })
  },

  list: async ({ context, query }) => {
    const filter = toChangeFilter(query, context.config.businessTimeZone)
    return paged(await context.onReplica((db) => listChanges(db, filter, query)))
  },

  export: exportChanges,

  import: async ({ context, actor, request, admitAgain }) => {
    const rows = await importArchive(context.db, actor, await receiveArchive(request, admitAgain))
    // As when the response to an earlier attempt was lost.
    if (rows === 0) return { message: 'All changes of this file are here already' }
    return { message: rows === 1 ? '1 change imported' : `${rows.toLocaleString('en')} changes imported` }
  },

  undo: async ({ context, actor, session, params, query }) => {
    return { message: await undoChange(context, actor, session, params.id, query.scope) }
  },

  restore: async ({ context, actor, session, params, body }) => {
    await restoreRecord(context, actor, session, body.entity, params.id)
    return { message: 'Restored' }
  },
}

/** Requires the page of the record or, of a single booking, that it is the person's own (rules §22.3). */
async function requireMayRead(
  db: Db,
  { entity, id }: { entity: AuditEntity; id?: string | undefined },
  session: SignedIn,
) {
  const isOneBooking = entity === 'booking' && id !== undefined
  if (!isOneBooking || session.pages.includes(auditEntities.booking.page)) return requirePageOf(entity, session)
  requireOnePage(routes.bookingActions.get.access, session)
  if (!isId(id)) throw notFound('Booking')
  await requireMyBooking(db, id, session)
}
