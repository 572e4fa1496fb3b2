import type { rolePresetEndpoints } from '#contract/role-presets.ts'
import type { Handlers } from '#server/http/handler.ts'
import { paged } from '#server/http/results.ts'
import { createOnce } from '../idempotency/create-once.ts'
import { listRolePresets } from './role-presets.repository.ts'
import { createRolePreset, deleteRolePreset, updateRolePreset } from './role-presets.service.ts'

export const rolePresetHandlers: Handlers<typeof rolePresetEndpoints> = {
  list: async ({ context, query }) => paged(await listRolePresets(context.db, query)),

  create: ({ context, actor, session, body }) =>
    createOnce(context, actor, (inner) => createRolePreset(inner, actor, session, body)),

  update: ({ context, actor, session, params, body }) => updateRolePreset(context, actor, session, params.id, body),

  delete: async ({ context, actor, session, params }) => {
    await deleteRolePreset(context, actor, session, params.id)
    return { message: 'Preset deleted successfully' }
  },
}
