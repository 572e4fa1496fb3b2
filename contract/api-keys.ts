import * as z from 'zod/mini'
import { apiKeyStates } from './api-key-states.ts'
import { endpoint } from './endpoint.ts'
import { dateText, listQuery, MessageSchema, timeText, version } from './fields.ts'
import { RolePresetBody, RolePresetEdit } from './role-presets.ts'
import { routes } from './routes.ts'

const ApiKeySchema = z.object({
  _id: z.string(),
  name: z.string(),
  /** The first characters of the key, by which people recognise it. */
  prefix: z.string(),
  auth_page: z.array(z.string()),
  /** The pages in `auth_page` that the key may view but not edit. */
  viewOnlyPages: z.array(z.string()),
  /** The ids of the key's locations; null for all. */
  locations: z.nullable(z.array(z.string())),
  /** The last day on which the key is valid, in the business time zone; null when it never expires. */
  expiresOn: z.nullable(z.string()),
  state: z.enum(apiKeyStates),
  lastUsedAt: z.nullable(timeText),
  lastUsedAddress: z.nullable(z.string()),
  createdAt: timeText,
  createdBy: z.object({ _id: z.string(), name: z.string() }),
  revokedAt: z.nullable(timeText),
  version,
})
export type ApiKey = z.infer<typeof ApiKeySchema>

export const ApiKeyListQuery = z.extend(listQuery(['createdAt', 'name']), {
  state: z.optional(z.enum(apiKeyStates, `state must be one of ${apiKeyStates.join(', ')}`)),
})

/** A last day, or null for a key that never expires. */
const expiresOn = z.nullable(dateText('Last day'))

/** A key has a name and access, as a preset of the form does, and says when it expires. */
export const ApiKeyBody = z.extend(RolePresetBody, { expiresOn })

export const ApiKeyEdit = z.extend(RolePresetEdit, { expiresOn: z.optional(expiresOn) })

export const apiKeyEndpoints = {
  list: endpoint(routes.apiKeys.list, { query: ApiKeyListQuery, response: z.array(ApiKeySchema) }),
  /** The key is returned only in this response. */
  create: endpoint(routes.apiKeys.create, {
    body: ApiKeyBody,
    response: z.extend(ApiKeySchema, { key: z.string(), message: z.string() }),
    status: 201,
  }),
  update: endpoint(routes.apiKeys.update, { body: ApiKeyEdit, response: ApiKeySchema }),
  revoke: endpoint(routes.apiKeys.revoke, { response: MessageSchema }),
}
