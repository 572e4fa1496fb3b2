import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { listQuery, MessageSchema, requiredText, version } from './fields.ts'
import { routes } from './routes.ts'
import { locationList, pageCodeList, viewOnlyPageList } from './staff.ts'

/**
 * A starting point for the form of a staff member or API key. Changing a preset does not affect those created from it.
 */
const RolePresetSchema = z.object({
  _id: z.string(),
  name: z.string(),
  auth_page: z.array(z.string()),
  /** The pages in `auth_page` that may be viewed but not edited. */
  viewOnlyPages: z.array(z.string()),
  /** The ids of the preset's locations that still exist; null for all. */
  locations: z.nullable(z.array(z.string())),
  version,
})
export type RolePreset = z.infer<typeof RolePresetSchema>

export const RolePresetListQuery = z.extend(listQuery(['name', 'createdAt']), {
  status: z.optional(z.enum(['deleted'], 'status must be deleted, or left out')),
})

const RolePresetFields = z.object({
  name: requiredText('Name', 100),
  auth_page: pageCodeList('auth_page').check(z.refine((codes) => codes.length > 0, 'Choose at least one page')),
  /** The pages in `auth_page` that may be viewed but not edited. When absent, all may be edited. */
  viewOnlyPages: viewOnlyPageList,
  /** Null for all locations, including future ones. */
  locations: z.nullable(locationList),
})

export const RolePresetBody = z.extend(RolePresetFields, {
  viewOnlyPages: z._default(RolePresetFields.shape.viewOnlyPages, []),
  locations: z._default(RolePresetFields.shape.locations, null),
})

export const RolePresetEdit = z.partial(RolePresetFields)

export const rolePresetEndpoints = {
  list: endpoint(routes.rolePresets.list, { query: RolePresetListQuery, response: z.array(RolePresetSchema) }),
  create: endpoint(routes.rolePresets.create, { body: RolePresetBody, response: RolePresetSchema, status: 201 }),
  update: endpoint(routes.rolePresets.update, { body: RolePresetEdit, response: RolePresetSchema }),
  delete: endpoint(routes.rolePresets.delete, { response: MessageSchema }),
}
