import { webhookEvents } from '#contract/webhook-events.ts'
import { toHeaderParameter } from './openapi-headers.ts'
import type { Json } from './openapi-schemas.ts'

const fields: Json = {
  type: ['object', 'null'],
  description:
    'The fields that have changed, by column, as in GET /api/history; null when there are none. Wall clocks end in +00:00 here.',
}

export const delivery: Json = {
  tags: ['webhooks'],
  summary: 'What is posted to the URL of a webhook for each event that it is subscribed to, at least once',
  description:
    'Any status of 2XX within 10 seconds takes it; otherwise, also after a redirect or a 410, it is sent again, ten times in all, with pauses that grow to an hour, whatever `Retry-After` says. `changed` are all changes without a word of their own, such as a move, a check-in, or a status that the clock sets. Changes of a record may arrive in another order than they were made in: `data.version` says which is newer.',
  parameters: [
    toHeaderParameter('webhook-id', 'The delivery: the same whenever it is sent again.'),
    toHeaderParameter('webhook-timestamp', 'When it is sent, in seconds since 1970.'),
    toHeaderParameter('webhook-signature', 'Made with the secret of the webhook, as Standard Webhooks specifies.'),
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['type', 'timestamp', 'data'],
          properties: {
            type: {
              type: 'string',
              enum: Object.entries(webhookEvents).flatMap(([kind, words]) => words.map((word) => `${kind}.${word}`)),
            },
            timestamp: { type: 'string', format: 'date-time', description: 'When the change was made.' },
            data: {
              type: 'object',
              required: ['id', 'version', 'before', 'after'],
              properties: {
                id: { type: 'string' },
                version: { type: 'integer', description: 'Of the record after the change.' },
                before: fields,
                after: fields,
              },
            },
          },
        },
      },
    },
  },
  responses: { '2XX': { description: 'Taken' } },
}
