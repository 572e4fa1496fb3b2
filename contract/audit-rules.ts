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
 * Returns whether a change can be undone while the record has not changed since (rules §22.5). Not undoable: changes of
 * secrets, whose values are not stored; closures, which are created anew because that asks about the bookings made
 * meanwhile; and API keys, as changing one asks for the password.
 */
export function isUndoable({ action, entity, before }: UndoneChange): boolean {
  return (
    entity !== 'closure' &&
    entity !== 'api-key' &&
    undoableActions.has(action) &&
    Object.values(before ?? {}).some((value) => value !== SECRET_MASK)
  )
}
