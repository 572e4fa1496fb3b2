import { isDeepStrictEqual } from 'node:util'
import { type AuditEntity, auditEntities } from '#contract/audit-entities.ts'
import { isUndoable, toUndoEntity } from '#contract/audit-rules.ts'
import type { AuditAction } from '#contract/audit.ts'
import { PAGE } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { SECRET_MASK } from '#contract/secrets.ts'
import type { Actor, AppContext, SignedIn } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import type { Fields } from '#server/db/schema.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, notFound, withDate } from '#server/http/app-error.ts'
import { requireConfirmed, requireOnePage } from '#server/http/session.ts'
import { lockPods } from '../availability/availability.repository.ts'
import { findOverrideReason, overrideHours } from '../availability/availability.ts'
import { findOwners, findReasonBefore } from '../bookings/booking-page.repository.ts'
import { lockBookings, requireMyBooking } from '../bookings/change-booking.ts'
import * as features from '../features/features.repository.ts'
import { moveFeatures } from '../features/features.service.ts'
import { queueMissed } from '../messages/messages.service.ts'
import { PRICING_ID } from '../pricing/pricing.repository.ts'
import { refuseSameName, requireMayGiveAgain } from '../role-presets/role-presets.service.ts'
import { requireMayTakeBack } from '../staff/staff.guards.ts'
import { lockStaff } from '../staff/staff.repository.ts'
import { requireCustomerNotErased } from '../users/erase-customers.ts'
import { findChange, listChangesOfRequest, writeFields } from './audit.repository.ts'
import { lockRecords, recordChange } from './record-change.ts'
import { recordKinds } from './record-kinds.ts'
import { requireLocation, writeBack } from './write-back.ts'

type Change = NonNullable<Awaited<ReturnType<typeof findChange>>>

/** Changes that need the password again when undone, because of the access or the data that this gives (rules §33.6). */
const sensitiveActions = new Set<AuditAction>(['edit', 'permissions', 'block', 'delete'])
const sensitiveEntities = new Set<AuditEntity>(['staff', 'webhook'])

/** The action under which an undo is recorded, by the action it takes back; the same action where none is named. */
const inverses: Partial<Record<AuditAction, AuditAction>> = { block: 'unblock', unblock: 'block', cancel: 'reinstate' }

/**
 * Messages for an undone change, by action; other actions get a general message. A check-in, a no-show and an early end
 * are taken back under the same action, which can be undone in turn.
 */
const undone: Partial<Record<AuditAction, (change: Change) => string>> = {
  block: ({ label }) => `${label} is active again`,
  unblock: ({ label }) => `${label} is blocked again`,
  delete: ({ label }) => `${label} is restored`,
  reorder: () => 'The features are in their earlier order again',
  cancel: ({ label }) => `The booking of ${label} is reinstated`,
  move: () => 'The booking is back at its earlier time and pod',
  'check-in': ({ label, after }) =>
    `The check-in in ${label} ${after?.checked_in_at ? 'is taken back' : 'counts again'}`,
  'no-show': ({ label, after }) => `The no-show in ${label} ${after?.no_show_at ? 'is taken back' : 'counts again'}`,
  end: ({ label, after }) =>
    after?.ended_at ? `The booking of ${label} goes on until its end` : `The booking of ${label} has ended early again`,
}

/** The same for several bookings, by action. */
const undoneTogether: Partial<Record<AuditAction, (count: number) => string>> = {
  cancel: (count) => `${count} bookings are reinstated`,
  move: (count) => `${count} bookings are back at their earlier times and pods`,
}

/**
 * Undoes a change, with the others of its request if `scope` says so, which the history records as new changes; all of
 * them or none. Returns the message to show. Throws a 409 when the record has changed since, when the change was undone
 * already, or when its slots, email address or location are gone.
 */
export async function undoChange(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  changeId: string,
  scope?: 'request',
): Promise<string> {
  return inTransaction(context.db, async (tx) => {
    const change = await findChange(tx, changeId)
    if (!change) throw notFound('Change')
    const changes = scope === 'request' && change.request_id ? await listChangesOfRequest(tx, changeId) : [change]
    for (const one of changes) {
      await requireMayUndo(context, tx, one, session)
      if (!isUndoable(one)) throw new AppError('cannot_undo', { message: 'This cannot be undone.' })
    }
    if (changes.length > 1) await lockTogether(tx, change, changes)
    const dates = changes.length > 1 ? await findBookingDates(tx, changes) : new Map<string, string>()
    for (const one of changes) {
      await takeBack(context, tx, actor, session, one).catch((error: unknown) => {
        const date = dates.get(one.entity_id ?? '')
        throw date === undefined ? error : withDate(error, date)
      })
    }
    if (changes.length > 1)
      return undoneTogether[change.action]?.(changes.length) ?? `${changes.length} changes are undone`
    return undone[change.action]?.(change) ?? `The change to ${change.label} is undone${sayWhatStays(change)}`
  })
}

/** Locks the records, and the pods of bookings, in the order in which others lock them, not in that of the changes. */
async function lockTogether(tx: Tx, { entity }: Change, changes: readonly Change[]): Promise<void> {
  const ids = changes.flatMap(({ entity_id }) => entity_id ?? [])
  if (entity === 'booking') {
    const bookings = await tx.selectFrom('bookings').select(['id', 'pod_id']).where('id', 'in', ids).execute()
    const pods = [...bookings, ...changes.map(({ before }) => before)].flatMap((of) =>
      typeof of?.pod_id === 'string' ? [of.pod_id] : [],
    )
    return lockBookings(tx, new Set(pods), bookings)
  }
  const kind = recordKinds[entity]
  if (kind) await lockRecords(tx, kind, ids)
}

/** An edit may have set a password too, which cannot be brought back: the history masks it. */
function sayWhatStays({ before }: Change): string {
  return Object.values(before ?? {}).includes(SECRET_MASK) ? ', except for the password: earlier ones are not kept' : ''
}

async function findBookingDates(tx: Tx, changes: readonly Change[]): Promise<Map<string, string>> {
  const ids = changes.flatMap(({ entity, entity_id }) =>
    entity === 'booking' && entity_id !== null ? [entity_id] : [],
  )
  if (ids.length === 0) return new Map()
  const found = await tx.selectFrom('bookings').select(['id', 'booking_date']).where('id', 'in', ids).execute()
  return new Map(found.map(({ id, booking_date }) => [id, booking_date]))
}

async function takeBack(context: AppContext, tx: Tx, actor: Actor, session: SignedIn, change: Change): Promise<void> {
  if (change.action === 'reorder') return moveBack(tx, actor, change)
  const id = change.entity === 'settings' || change.entity === 'policy' ? PRICING_ID : change.entity_id
  if (id === null) throw new Error('A change of a record has no id')
  if (change.action === 'delete') return restore(tx, { actor, session }, { entity: change.entity, id }, change)
  return revert(context, tx, { actor, session }, change, id)
}

export async function restoreRecord(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  entity: AuditEntity,
  id: string,
): Promise<void> {
  requirePageOf(entity, session)
  if (sensitiveEntities.has(entity)) requireConfirmed(context, session)
  await inTransaction(context.db, (tx) => restore(tx, { actor, session }, { entity, id }))
}

/** Requires what the change itself required: its page, all locations for policies, and the password for access. */
async function requireMayUndo(context: AppContext, tx: Tx, change: Change, session: SignedIn): Promise<void> {
  const entity = toUndoEntity(change)
  if (entity === 'booking') {
    requireOnePage(routes.bookingActions.get.access, session)
    // A file of bookings is no change of one.
    if (change.entity_id !== null) await requireMyBooking(tx, change.entity_id, session)
    return
  }
  requirePageOf(entity, session)
  if (entity === 'policy' && session.locations) throw new AppError('all_locations_required')
  if (sensitiveEntities.has(entity) && sensitiveActions.has(change.action)) requireConfirmed(context, session)
}

export function requirePageOf(entity: AuditEntity, session: SignedIn): void {
  requireOnePage([auditEntities[entity].page], session)
}

type By = { actor: Actor; session: SignedIn }

async function restore(
  tx: Tx,
  { actor, session }: By,
  { entity, id }: { entity: AuditEntity; id: string },
  deletion?: Change,
): Promise<void> {
  const kind = recordKinds[entity]
  if (!kind?.isDeletable) throw notFound('Record')
  if (entity === 'staff' || entity === 'role-preset') await lockStaff(tx)
  if (entity === 'feature') await features.lockFeatureOrder(tx)
  if (entity === 'customer') await requireCustomerNotErased(tx, id)
  const change = { id, action: 'restore', isDeleted: true, ...(deletion && { undoes: deletion.id }) } as const
  // Of a record that was restored and deleted again since, an earlier deletion cannot be undone.
  const expects = deletion?.version ?? 'any'
  const restored = await recordChange(tx, { ...actor, expects }, kind, change, async (before) => {
    if (entity === 'staff') await requireMayTakeBack(tx, session, id, {})
    if (entity === 'role-preset') await requireMayGiveAgain(tx, session, before, {})
    if (entity === 'pod') await requireLocation(tx, before)
    if (entity === 'feature') await features.freePositionOf(tx, id)
    await writeFields(tx, kind.table, id, { deleted_at: null })
    return true
  }).catch(refuseUndo)
  if (!restored) throw new AppError('cannot_undo', { message: 'This has been restored already, or was never deleted.' })
  if (entity === 'customer' || entity === 'company') await queueMissed(tx, id, actor.now())
}

/** Writes the fields from before the change back; a 409 when somebody has changed the record since. */
async function revert(context: AppContext, tx: Tx, { actor, session }: By, change: Change, id: string): Promise<void> {
  const kind = recordKinds[change.entity]
  if (!kind || !change.before) throw new AppError('cannot_undo', { message: 'This cannot be undone.' })
  const action = inverses[change.action] ?? change.action
  const overrideReason = await findOverride(tx, change, session, id)
  const reason = overrideHours(overrideReason, session.pages).auditReason
  const details = { id, action, undoes: change.id, reason }
  const earlier = Object.fromEntries(Object.entries(change.before).filter(([, value]) => value !== SECRET_MASK))
  // Prices and policies share a row and its version, so their fields are compared instead.
  const isShared = change.entity === 'settings' || change.entity === 'policy'
  if (change.entity === 'staff' || change.entity === 'role-preset') await lockStaff(tx)
  if (change.entity === 'booking') await lockPods(tx, await listPodsOf(tx, id, earlier))
  const reverted = await recordChange(
    tx,
    { ...actor, expects: isShared ? 'any' : (change.version ?? 'any') },
    kind,
    details,
    async (now) => {
      if (isShared && !hasFields(now, change.after)) throw new AppError('cannot_undo')
      await writeBack(change.entity, kind.table, {
        context,
        tx,
        actor,
        session,
        id,
        changeId: change.id,
        at: change.at,
        now,
        earlier,
        overrideReason,
      })
      return true
    },
  ).catch(refuseUndo)
  if (!reverted) throw new AppError('cannot_undo')
}

function refuseUndo(error: unknown): never {
  if (error instanceof AppError && error.code === 'record_changed') throw new AppError('cannot_undo')
  return refuseSameName(error)
}

function hasFields(now: Fields, fields: Change['after']): boolean {
  return Object.entries(fields ?? {}).every(([name, value]) => isDeepStrictEqual(now[name], value))
}

/** Changes of bookings that, when undone, hold time which the booking held before. */
const holdsAgain = new Set<AuditAction>(['move', 'cancel', 'no-show', 'end'])

/** Finds why the booking was outside opening hours before, so that people with Booking can put it back there. */
async function findOverride(tx: Tx, { entity, action, id: changeId }: Change, { pages }: SignedIn, id: string) {
  if (entity !== 'booking' || !holdsAgain.has(action) || !pages.includes(PAGE.bookings)) return undefined
  return findOverrideReason(await findReasonBefore(tx, id, changeId))
}

/** Lists the booking's present pod and the pod it goes back to. */
async function listPodsOf(tx: Tx, bookingId: string, earlier: Fields): Promise<string[]> {
  const booking = await findOwners(tx, bookingId)
  return [booking?.pod_id, earlier.pod_id].flatMap((id) => (typeof id === 'string' ? [id] : []))
}

async function moveBack(tx: Tx, actor: Actor, change: Change): Promise<void> {
  await features.lockFeatureOrder(tx)
  const now = await features.listFeatureIds(tx)
  const isUnchanged = JSON.stringify(now) === JSON.stringify(change.after?.order)
  const { order } = change.before ?? {}
  if (!isUnchanged || !Array.isArray(order)) throw new AppError('cannot_undo')
  await moveFeatures(tx, actor, now, order.map(String), change.id)
}
