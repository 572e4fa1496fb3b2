import * as z from 'zod/mini'
import { auditEntityNames } from './audit-entities.ts'
import { endpoint } from './endpoint.ts'
import { dateText, fileQuery, listQuery, MessageSchema, recordId, timeText } from './fields.ts'
import { routes } from './routes.ts'

const actorKinds = ['staff', 'api-key', 'system', 'customer', 'provider'] as const
export type ActorKind = (typeof actorKinds)[number]

export const auditActions = [
  'create',
  'edit',
  'block',
  'unblock',
  'delete',
  'restore',
  'erase',
  'reorder',
  'cancel',
  'reinstate',
  'move',
  'check-in',
  'no-show',
  'end',
  'advance',
  'permissions',
  'password',
  'password-link',
  'second-factor',
  'second-factor-off',
  'second-factor-reset',
  'second-factor-rule',
  'recovery-codes',
  'passkey-add',
  'passkey-rename',
  'passkey-remove',
  'revoke',
  'sign-in',
  'sign-in-failed',
  'sign-out',
  'confirm',
  'view-as',
  'view-as-end',
  'upload',
  'export',
  'retry',
  'dismiss',
  'send',
  'archive',
  'import',
  'secret-key',
] as const
export type AuditAction = (typeof auditActions)[number]

/** One change. `before` and `after` hold the fields that changed, by column; secrets are masked. */
const ChangeSchema = z.object({
  _id: z.string(),
  at: timeText,
  actor: z.object({ kind: z.enum(actorKinds), _id: z.nullable(z.string()), name: z.string() }),
  /** The IP address of whoever made the change; null in the history of a record. */
  address: z.nullable(z.string()),
  requestId: z.nullable(z.string()),
  action: z.enum(auditActions),
  entity: z.enum(auditEntityNames),
  entityId: z.nullable(z.string()),
  /** What the record was called at the time. */
  label: z.string(),
  version: z.nullable(z.int()),
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  reason: z.nullable(z.string()),
  /** Whether the record has been deleted by now. */
  isDeleted: z.boolean(),
  /** The id of the change that this one undid. */
  undoes: z.nullable(z.string()),
  /** Names of the records whose ids appear in `before` and `after`. */
  names: z.record(z.string(), z.string()),
})
export type Change = z.infer<typeof ChangeSchema>

const entity = z.enum(auditEntityNames, `entity must be one of ${auditEntityNames.join(', ')}`)

const pageQuery = z.omit(listQuery(['at']), { search: true })

const HistoryQuery = z.extend(pageQuery, {
  entity,
  id: z.optional(recordId.check(z.describe('Without it, the settings, or all records of the kind.'))),
})

const ActivityQuery = z.extend(pageQuery, {
  entity: z.optional(entity),
  action: z.optional(z.enum(auditActions, `action must be one of ${auditActions.join(', ')}`)),
  actor: z.optional(z.string().check(z.describe('The id of a staff member or of an API key.'))),
  from: z.optional(dateText('from').check(z.describe('The first day, in the business time zone.'))),
  to: z.optional(dateText('to').check(z.describe('The last day, in the business time zone.'))),
})

const UndoQuery = z.object({
  scope: z.optional(
    z
      .literal('request', 'scope must be request, or left out')
      .check(z.describe('Also the changes of the same kind that the same request made, such as those of a series.')),
  ),
})

export const auditEndpoints = {
  history: endpoint(routes.audit.history, { query: HistoryQuery, response: z.array(ChangeSchema) }),
  list: endpoint(routes.audit.list, { query: ActivityQuery, response: z.array(ChangeSchema) }),
  export: endpoint(routes.audit.export, { query: fileQuery(ActivityQuery), response: z.string(), kind: 'csv' }),
  import: endpoint(routes.audit.import, {
    response: MessageSchema,
    kind: 'multipart',
    files: { part: 'file', several: false },
  }),
  undo: endpoint(routes.audit.undo, { query: UndoQuery, response: MessageSchema }),
  restore: endpoint(routes.audit.restore, { body: z.object({ entity }), response: MessageSchema }),
}
