import type { AuditAction } from './audit.ts'
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

/** Whether a change can be taken back while the record has not changed since (rules §22.5). Secrets are not kept. */
export function isUndoable({ action, before }: { action: AuditAction; before?: object | null }): boolean {
  return undoableActions.has(action) && Object.values(before ?? {}).some((value) => value !== SECRET_MASK)
}
