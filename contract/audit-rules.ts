import type { AuditAction, AuditEntity } from './audit.ts'
import { SECRET_MASK } from './secrets.ts'

const undoableActions = new Set<AuditAction>([
  'edit',
  'permissions',
  'block',
  'unblock',
  'delete',
  'reorder',
  'cancel',
  'move',
  'check-in',
  'no-show',
  'end',
])

type UndoneChange = { action: AuditAction; entity: AuditEntity; before?: object | null }

/**
 * Whether a change can be taken back while the record has not changed since (rules §22.5). Secrets are not kept. A closure is
 * closed anew instead, which asks what becomes of the bookings made meanwhile. Changing an API key asks for the password.
 */
export function isUndoable({ action, entity, before }: UndoneChange): boolean {
  return (
    entity !== 'closure' &&
    entity !== 'api-key' &&
    undoableActions.has(action) &&
    Object.values(before ?? {}).some((value) => value !== SECRET_MASK)
  )
}
