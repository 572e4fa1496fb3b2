import { z } from 'zod'
import { FreeInsteadSchema } from '#contract/booking-actions.ts'
import { type ErrorBody, errors } from '#contract/errors.ts'

export type Json = Record<string, unknown>

export function toSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // What every integer of JavaScript is.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return json
}

const text = { type: 'string' }
const toObject = (properties: Json, required = Object.keys(properties)): Json => ({
  type: 'object',
  required,
  properties,
})

export const errorSchema: Json = {
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string', description: 'What is wrong and what to do, for people.' },
    code: {
      type: 'string',
      description: Object.entries(errors)
        .map(([code, { status, message }]) => `- \`${code}\` (${status}): ${message}`)
        .join('\n'),
    },
    errors: {
      type: 'array',
      description: 'Of invalid_input and others of one field: `path` such as `images.0.url`; empty for the whole body.',
      items: toObject({ path: text, message: text }),
    },
    reasons: {
      type: 'array',
      description:
        'Of a booking that is refused: everything that is in the way, with the booking or closure for who may see it.',
      items: toObject(
        {
          code: text,
          message: text,
          booking: toObject({ _id: text, username: text, company: text, startTime: text, endTime: text }, [
            '_id',
            'username',
            'startTime',
            'endTime',
          ]),
          closure: toObject({ _id: text, reason: text, starts: text, ends: { type: ['string', 'null'] } }),
        },
        ['code', 'message'],
      ),
    },
    current: { type: 'object', description: 'Of record_changed: the record as it is now.' },
    free: {
      ...toSchema(FreeInsteadSchema, 'output'),
      description: 'Of a booking that is refused: `times` in the same pod and `pods` at the same time.',
    },
    challenge: {
      type: 'string',
      description: 'Of second_factor_required: what the code is sent with, to POST /sessions within five minutes.',
    },
    passkey: {
      type: 'object',
      description:
        'Of second_factor_required, for who has passkeys: `options` for navigator.credentials.get(), whose result is sent with the challenge to POST /sessions/passkeys; `isOnlyOne` where there is no authenticator app.',
    },
    requestId: { type: 'string', description: 'As in the header X-Request-Id: support finds the request by it.' },
  } satisfies Record<keyof ErrorBody, Json>,
}
