import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { listQuery, MessageSchema, timeText } from './fields.ts'
import { routes } from './routes.ts'
import { deliveryStates, webhookEvents } from './webhook-events.ts'

const kindEvents = Object.entries(webhookEvents).map(([kind, words]) => `${kind}\\.(\\*|${words.join('|')})`)
const EVENT = new RegExp(`^(${kindEvents.join('|')})$`)

const WebhookSchema = z.object({
  _id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  isEnabled: z.boolean(),
  version: z.int(),
  createdAt: timeText,
})
export type Webhook = z.infer<typeof WebhookSchema>

const events = z
  .array(z.string().check(z.regex(EVENT, 'events must be such as booking.created or pod.*')), 'events must be a list')
  .check(z.minLength(1, 'Choose at least one event'), z.maxLength(50, 'events may be at most 50'))

const url = z
  .url({ protocol: /^https?$/, error: 'URL must begin with https:// or http://' })
  .check(z.maxLength(1000, 'URL may have at most 1000 characters'))

export const WebhookBody = z.object({ url, events })

export const WebhookEdit = z.partial(z.object({ url, events, isEnabled: z.boolean('isEnabled must be true or false') }))

export const DeliverySchema = z.object({
  _id: z.string(),
  webhookId: z.string(),
  url: z.string(),
  event: z.string(),
  body: z.string(),
  state: z.enum(deliveryStates),
  tries: z.int(),
  response: z
    .nullable(z.string())
    .check(z.describe('The status and the beginning of what the receiver answered, or why it could not be reached.')),
  /** Set while the delivery waits for its next try. */
  nextTryAt: z.nullable(timeText),
  createdAt: timeText,
  sentAt: z.nullable(timeText),
})
export type Delivery = z.infer<typeof DeliverySchema>

export const DeliveryListQuery = z.extend(z.omit(listQuery(['createdAt']), { search: true }), {
  state: z.optional(z.enum(deliveryStates, `state must be one of ${deliveryStates.join(', ')}`)),
  webhook: z.optional(z.string().check(z.describe('The id of a webhook.'))),
})

export const webhookEndpoints = {
  list: endpoint(routes.webhooks.list, { response: z.array(WebhookSchema) }),
  /** The secret is returned only in this response. */
  create: endpoint(routes.webhooks.create, {
    body: WebhookBody,
    response: z.extend(WebhookSchema, { secret: z.string(), message: z.string() }),
    status: 201,
  }),
  update: endpoint(routes.webhooks.update, { body: WebhookEdit, response: WebhookSchema }),
  delete: endpoint(routes.webhooks.delete, { response: MessageSchema }),
}

export const deliveryEndpoints = {
  list: endpoint(routes.deliveries.list, { query: DeliveryListQuery, response: z.array(DeliverySchema) }),
  replay: endpoint(routes.deliveries.replay, { response: MessageSchema }),
}
