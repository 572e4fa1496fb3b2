import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { AffectedBooking, Closure, ClosureBody, ClosureEdit, SavedClosure } from '#contract/closures.ts'
import { PAGE } from '#contract/pages.ts'
import type { Actor, AppContext, SignedIn } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, fieldError, notFound } from '#server/http/app-error.ts'
import { requireOnePage } from '#server/http/session.ts'
import { createId, isId } from '#server/ids.ts'
import { recordChange, recordCreation } from '../audit/record-change.ts'
import { lockPods, lockPodsAndLocation } from '../availability/availability.repository.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { cancelClosed, moveClosed } from '../bookings/closed-bookings.service.ts'
import {
  addFreePods,
  type Candidate,
  CHOSEN_AMONG,
  choosePods,
  listAffected,
  listCandidates,
} from './affected-bookings.ts'
import { followClosures } from './blocking.ts'
import * as repository from './closures.repository.ts'
import { type ClosureTimes, listPlanned, requireRepetition, toPlanned } from './repetition.ts'

/** Closures of pods and locations, and what happens to the bookings that they hit (rules §26.5). */

type Wanted = Omit<ClosureBody, 'decisions'>

export async function previewClosure(context: AppContext, session: SignedIn, body: Wanted): Promise<AffectedBooking[]> {
  const { bookings, podIds, now } = await findAffected(context, session, body)
  return addFreePods(context.db, bookings, podIds, now)
}

/** Finds the bookings that a closure would hit, without the pods that they can move to. */
export async function findAffected(context: AppContext, session: SignedIn, body: Wanted) {
  requireMayClose(session, body)
  const { db } = context
  const now = toBusinessNow(context)
  const podIds = await findPods(db, body, true)
  const instances = await listWanted(db, podIds, body, now)
  return { bookings: await listAffected(db, podIds, instances, now), podIds, now }
}

/** Requires access to pods; to close a whole location, access to locations is enough. */
function requireMayClose(session: SignedIn, { locationId }: Wanted): void {
  requireOnePage(locationId === undefined ? [PAGE.pods] : [PAGE.pods, PAGE.locations], session)
}

/**
 * Creates a closure and carries out the decisions, all or nothing. Locks the pods before it reads their bookings, so
 * that none can be made meanwhile. Throws a 409 when an affected booking has no decision.
 */
export async function createClosure(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  body: ClosureBody,
): Promise<SavedClosure> {
  requireMayClose(session, body)
  const now = toBusinessNow(context)
  const id = createId(actor.now().getTime())
  return inTransaction(context.db, async (db) => {
    const podIds = await findPods(db, body)
    const { instances, ...changed } = await decide(db, { actor, session, now }, podIds, body)
    const closedPodIds = body.locationId === undefined ? podIds : []
    const follow = () => followClosures(db, actor, now, { podIds: closedPodIds, locationId: body.locationId })
    // The last recorded change is offered for undo. That is the block, if undoing it undoes everything.
    const isBlock = closedPodIds.length <= 1 && body.decisions.every(({ action }) => action === 'leave')
    await recordCreation(db, actor, repository.closureRecord(now), id, async () => {
      await repository.insertClosure(
        db,
        {
          id,
          location_id: body.locationId ?? null,
          reason: body.reason,
          ...toTimes(body, now),
          created_by: session.staff?._id ?? null,
          created_at: actor.now(),
        },
        closedPodIds,
        instances,
      )
      if (!isBlock) await follow()
    })
    if (isBlock) await follow()
    return { ...(await getClosure(db, id, now)), ...changed }
  })
}

/**
 * Changes reason and times; absent times stay as they are (rules §16.5), and when somebody else changes them meanwhile,
 * it is a 409. Bookings that it then hits need decisions, as with a new closure. Past instances stay.
 */
export async function updateClosure(
  context: AppContext,
  actor: Actor,
  session: SignedIn,
  id: string,
  body: ClosureEdit,
): Promise<SavedClosure> {
  const now = toBusinessNow(context)
  return inTransaction(context.db, async (db) => {
    const before = await getClosure(db, id, now)
    requireNotOver(before.state === 'over')
    const wanted = {
      reason: body.reason,
      starts: body.starts ?? before.starts,
      ends: body.ends === undefined ? before.ends : body.ends,
      repeats: body.repeats === undefined ? before.repeats : body.repeats,
      locationId: before.location?._id,
    }
    const podIds = await repository.listPodIdsOf(db, id)
    const decided = { ...wanted, decisions: body.decisions }
    const { instances, ...changed } = await decide(db, { actor, session, now }, podIds, decided)
    const isPartial = [body.starts, body.ends, body.repeats].includes(undefined)
    await recordChange(db, actor, repository.closureRecord(now), { id, action: 'edit' }, async ({ ended_at }) => {
      requireNotOver(ended_at !== null)
      const current = await getClosure(db, id, now)
      if (isPartial && current.version !== before.version) throw new AppError('record_changed', { current })
      const { starts, ends, rrule } = toTimes(wanted, now)
      await db.updateTable('closures').set({ reason: body.reason, starts, ends, rrule }).where('id', '=', id).execute()
      await repository.replaceInstances(db, id, now, instances)
      await followClosures(db, actor, now, toClosed(before))
    })
    return { ...(await getClosure(db, id, now)), ...changed }
  })
}

/** Ends a closure now. Its past instances stay. */
export async function endClosure(context: AppContext, actor: Actor, id: string): Promise<void> {
  const now = toBusinessNow(context)
  await inTransaction(context.db, async (tx) => {
    const before = await getClosure(tx, id, now)
    requireNotOver(before.state === 'over')
    // Two closures that end at the same time would each take the other for the one that still blocks.
    if (before.location) await lockPodsAndLocation(tx, [], before.location._id)
    else await lockPods(tx, toClosed(before).podIds)
    await recordChange(tx, actor, repository.closureRecord(now), { id, action: 'end' }, async ({ ended_at }) => {
      requireNotOver(ended_at !== null)
      await repository.endClosure(tx, id, now, actor.now())
      await followClosures(tx, actor, now, toClosed(before))
    })
  })
}

/** Asked again once the closure is locked, as somebody may have ended it meanwhile. */
function requireNotOver(isOver: boolean): void {
  if (isOver) throw new AppError('closure_over')
}

const toClosed = ({ location, pods }: Closure) => ({ podIds: pods.map(({ _id }) => _id), locationId: location?._id })

async function getClosure(db: Db | Tx, id: string, now: Date): Promise<Closure> {
  const closure = await repository.findClosure(db, id, now)
  if (!closure) throw notFound('Closure')
  return closure
}

function toTimes({ starts, ends, repeats }: Wanted, now: Date): ClosureTimes {
  return {
    starts: starts === undefined ? now : new Date(starts),
    ends: ends ? new Date(ends) : null,
    rrule: repeats || null,
  }
}

/** Lists the instances of a closure: for a year ahead, and beyond that wherever the pods are booked. */
async function listWanted(
  db: Db | Tx,
  podIds: readonly string[],
  body: Wanted,
  now: Date,
): Promise<repository.Instance[]> {
  const times = toTimes(body, now)
  requireRepetition(times)
  const later = times.rrule === null ? [] : await repository.listBookedTimes(db, podIds, toPlanned(now).end)
  const instances = listPlanned(times, now, later)
  if (instances.length === 0) throw fieldError('ends', 'This has passed already. Choose a later end.')
  return instances
}

/** Throws a 404 for unknown pods and locations, and for deleted ones unless a closure that is edited may have them. */
async function findPods(db: Db | Tx, { podIds, locationId }: Wanted, orDeleted = false): Promise<string[]> {
  if (locationId === undefined) {
    const ids = [...new Set(podIds)]
    const found = ids.every(isId)
      ? await db
          .selectFrom('pods')
          .select('id')
          .where('id', 'in', ids)
          .$if(!orDeleted, (pods) => pods.where('deleted_at', 'is', null))
          .execute()
      : []
    if (found.length !== ids.length) throw notFound('Pod')
    return found.map(({ id }) => id)
  }
  const location =
    isId(locationId) &&
    (await db
      .selectFrom('locations')
      .select('id')
      .where('id', '=', locationId)
      .$if(!orDeleted, (locations) => locations.where('deleted_at', 'is', null))
      .executeTakeFirst())
  if (!location) throw notFound('Location')
  return repository.listPodIds(db, locationId)
}

/**
 * Locks the pods and carries out the decision for each booking that is hit. Returns when the pods are closed, and how
 * many bookings were moved and cancelled.
 */
async function decide(
  tx: Tx,
  by: { actor: Actor; session: SignedIn; now: Date },
  known: string[],
  { decisions, ...body }: ClosureBody,
): Promise<{ instances: repository.Instance[]; moved: number; cancelled: number }> {
  const { now } = by
  const chosen = decisions.flatMap(({ action, podId }) => (action === 'move' && podId && isId(podId) ? [podId] : []))
  const mayMove = decisions.some(({ action, podId }) => action === 'move' && !podId)
  const candidates = mayMove ? await listCandidates(tx, known, known, CHOSEN_AMONG) : new Map<string, Candidate[]>()
  const others = [...candidates.values()].flat().map(({ podId }) => podId)
  const podIds = await lockClosed(tx, known, [...chosen, ...others], body.locationId)
  const instances = await listWanted(tx, podIds, body, now)
  const affected = await listAffected(tx, podIds, instances, now)
  const byBooking = new Map(decisions.map((decision) => [decision.bookingId, decision]))
  const undecided = affected.filter(({ _id }) => !byBooking.has(_id))
  if (undecided.length > 0) {
    throw new AppError('closure_undecided', {
      message: `Decide what happens to ${undecided.length === 1 ? '1 booking' : `${undecided.length} bookings`} that this closure affects.`,
    })
  }
  const hit = (action: ClosureBody['decisions'][number]['action']) =>
    affected.filter(({ _id }) => byBooking.get(_id)?.action === action)
  // Permission to close pods includes cancelling and moving the affected bookings, whoever they belong to.
  const closing = { ...by, reason: `Closed: ${body.reason}` }
  const moved = hit('move').map((booking) => ({ booking, podId: byBooking.get(booking._id)?.podId }))
  const targets = await choosePods(tx, moved, new Set(podIds), candidates, now)
  const cancelled = hit('cancel').map(({ _id }) => _id)
  await cancelClosed(tx, closing, cancelled)
  await moveClosed(tx, closing, targets)
  return { instances, moved: moved.length, cancelled: cancelled.length }
}

/**
 * Locks the pods that are closed and `targets`, to which bookings may move. Returns those that are closed: of a location
 * the pods that it has once it is locked. When one of these has come or left while a lock was waited for, begins again
 * without locks, as it would be locked after the location.
 */
async function lockClosed(tx: Tx, podIds: string[], targets: string[], locationId: string | undefined) {
  if (locationId === undefined) {
    await lockPods(tx, [...new Set([...podIds, ...targets])])
    return podIds
  }
  await sql`savepoint unlocked`.execute(tx)
  for (;;) {
    const ofLocation = await repository.listPodIds(tx, locationId)
    await lockPodsAndLocation(tx, [...new Set([...ofLocation, ...targets])], locationId)
    if (isDeepStrictEqual(await repository.listPodIds(tx, locationId), ofLocation)) return ofLocation
    await sql`rollback to savepoint unlocked`.execute(tx)
  }
}
