import { type AuditEntity, auditEntities } from './audit-entities.ts'
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

/** Columns of a location that are set under Policies and Messages rather than with the location (rules §27.11, §32.7). */
const policyColumns = new Set(['cancel_policy', 'no_show_minutes', 'reminder_hours'])

/** Returns the kind of record by which access to undoing a change is decided: a location's policies count as policies. */
export function toUndoEntity({ entity, before }: Pick<UndoneChange, 'entity' | 'before'>): AuditEntity {
  const isOfPolicies = entity === 'location' && Object.keys(before ?? {}).some((column) => policyColumns.has(column))
  return isOfPolicies ? 'policy' : entity
}

type UndoneChange = { action: AuditAction; entity: AuditEntity; before?: object | null }

/** Returns the kind of record by which access to undoing a change is decided; undefined if it cannot be undone. */
export function findUndoEntity(change: UndoneChange): AuditEntity | undefined {
  return isUndoable(change) ? toUndoEntity(change) : undefined
}

/**
 * Returns whether whoever made a change may undo it too (rules §25.1). They may not where undoing takes a page that the
 * change did not take, as with one's own details.
 */
export function isUndoOffered(
  entity: AuditEntity,
  { pages, locations }: { pages: readonly number[]; locations: readonly string[] | null },
): boolean {
  if (entity === 'booking') return true
  return pages.includes(auditEntities[entity].page) && (entity !== 'policy' || locations === null)
}

/**
 * Returns whether a change can be undone while the record has not changed since (rules §22.5). Not undoable: changes of
 * secrets, whose values are not stored; closures, which are created again because that asks about the bookings made
 * meanwhile; API keys, as changing one asks for the password; and the location of a booking, which follows its pod.
 */
export function isUndoable({ action, entity, before }: UndoneChange): boolean {
  return (
    entity !== 'closure' &&
    entity !== 'api-key' &&
    !(entity === 'booking' && action === 'edit' && 'location_id' in (before ?? {})) &&
    undoableActions.has(action) &&
    Object.values(before ?? {}).some((value) => value !== SECRET_MASK)
  )
}
