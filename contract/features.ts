import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import {
  blockedFilter,
  idLike,
  fileQuery,
  listQuery,
  MessageSchema,
  numberLike,
  requiredText,
  version,
} from './fields.ts'
import { routes } from './routes.ts'

export const FeatureSchema = z.object({
  _id: z.string(),
  name: z.string(),
  /** The name of an icon; the portal draws those in feature-icons.ts, and a dot for any other. */
  icon: z.string(),
  isBlocked: z.boolean(),
  order: z.int(),
  version,
})
export type Feature = z.infer<typeof FeatureSchema>

export const FeatureListQuery = z.extend(listQuery(['order', 'name']), { status: blockedFilter })

/**
 * An `order` of 0 or more inserts the feature at that position; a negative one, which the portal sends, appends it
 * (rules §7.1).
 */
export const FeatureBody = z.object({
  name: requiredText('Feature Name'),
  icon: requiredText('Icon Name', 100),
  order: z.optional(numberLike('order', { max: 1_000_000, decimals: 0 })),
})

export const FeatureEdit = z.partial(z.omit(FeatureBody, { order: true }))

/** Clients send the list itself, or the list in a field `features`, `items` or `order`. */
const ReorderBody = z.pipe(
  z.transform(toReorderItems),
  z
    .array(
      z.object({ id: idLike('id'), order: numberLike('order', { min: 0, decimals: 0 }) }),
      'A list of { id, order } is required',
    )
    .check(
      z.minLength(1, 'At least one feature is required'),
      z.maxLength(1000, 'At most 1000 features can be put in order'),
    ),
)

function toReorderItems(body: unknown): unknown {
  if (Array.isArray(body) || typeof body !== 'object' || body === null) return body
  const { features, items, order } = body as Record<string, unknown> // checked by the schema that follows
  return features ?? items ?? order
}

export const featureEndpoints = {
  list: endpoint(routes.features.list, { query: FeatureListQuery, response: z.array(FeatureSchema) }),
  create: endpoint(routes.features.create, { body: FeatureBody, response: FeatureSchema, status: 201 }),
  update: endpoint(routes.features.update, { ifMatch: 'optional', body: FeatureEdit, response: FeatureSchema }),
  block: endpoint(routes.features.block, { ifMatch: 'optional', response: MessageSchema }),
  unblock: endpoint(routes.features.unblock, { ifMatch: 'optional', response: MessageSchema }),
  blockSingular: endpoint(routes.features.blockSingular, { ifMatch: 'optional', response: MessageSchema }),
  unblockSingular: endpoint(routes.features.unblockSingular, { ifMatch: 'optional', response: MessageSchema }),
  delete: endpoint(routes.features.delete, { ifMatch: 'optional', response: MessageSchema }),
  reorder: endpoint(routes.features.reorder, { body: ReorderBody, response: MessageSchema }),
  usage: endpoint(routes.features.usage, { response: z.object({ pods: z.int() }) }),
  export: endpoint(routes.features.export, { query: fileQuery(FeatureListQuery), response: z.string(), kind: 'csv' }),
}
