import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { listQuery, MessageSchema, requiredText, version } from './fields.ts'
import { routes } from './routes.ts'
import { locationList, pageCodeList } from './staff.ts'

/** What a form of a staff member or API key can start from. Nobody is bound to it: whoever was given it keeps what they have. */
const RolePresetSchema = z.object({
  _id: z.string(),
  name: z.string(),
  auth_page: z.array(z.string()),
  /** The pages among `auth_page` to look at only. */
  viewOnlyPages: z.array(z.string()),
  /** The ids of its locations that are still there; null of all. */
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
  /** Of `auth_page`, those to look at only; without it, all may be changed. */
  viewOnlyPages: pageCodeList('viewOnlyPages'),
  /** Null: all of them, those to come too. */
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
