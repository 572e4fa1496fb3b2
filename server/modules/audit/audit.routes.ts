import type { auditEndpoints } from '#contract/audit.ts'
import type { Handlers } from '#server/http/handler.ts'
import { paged } from '#server/http/results.ts'
import { importArchive, receiveArchive } from './archive.ts'
import { exportChanges } from './audit.export.ts'
import { listChanges, toChangeFilter } from './audit.repository.ts'
import { requirePageOf, restoreRecord, undoChange } from './undo.service.ts'

export const auditHandlers: Handlers<typeof auditEndpoints> = {
  history: async ({ context, session, query }) => {
    requirePageOf(query.entity, session)
    return paged(await listChanges(context.db, { entity: query.entity, entityId: query.id }, query))
  },

  list: async ({ context, query }) => {
    const filter = toChangeFilter(query, context.config.businessTimeZone)
    return paged(await context.onReplica((db) => listChanges(db, filter, query)))
  },

  export: exportChanges,

  import: async ({ context, actor, request }) => {
    const rows = await importArchive(context.db, actor, await receiveArchive(request))
    return { message: rows === 1 ? '1 change imported' : `${rows.toLocaleString('en')} changes imported` }
  },

  undo: async ({ context, actor, session, params }) => {
    return { message: await undoChange(context, actor, session, params.id) }
  },

  restore: async ({ context, actor, session, params, body }) => {
    await restoreRecord(context, actor, session, body.entity, params.id)
    return { message: 'Restored' }
  },
}
