import {
  type AffectedBooking,
  type Closure,
  type ClosureBody,
  MAX_AFFECTED,
  type SavedClosure,
} from '#contract/closures.ts'
import { PAGE } from '#contract/pages.ts'
import { toClockLabel } from '#contract/slots.ts'
import type { Actor, AppContext, SignedIn } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, fieldError, notFound } from '#server/http/app-error.ts'
import { requireOnePage } from '#server/http/session.ts'
import { createId, isId } from '#server/ids.ts'
import { recordChange, recordCreation } from '../audit/record-change.ts'
import { listPodsLike, lockPods, readKinds } from '../availability/availability.repository.ts'
import { chooseFree, readFree } from '../availability/free-instead.ts'
import type { Interval } from '../availability/obstacles.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { cancelClosed, moveClosed } from '../bookings/closed-bookings.service.ts'
import { lockLocation } from '../locations/locations.repository.ts'
import { followClosures } from './blocking.ts'
import * as repository from './closures.repository.ts'
import { type ClosureTimes, listPlanned, requireRepetition, toPlanned } from './repetition.ts'

/** Closures of pods and locations, and what happens to the bookings that they hit (rules §26.5). */

type Wanted = Omit<ClosureBody, 'decisions'>

export async function previewClosure(context: AppContext, session: SignedIn, body: Wanted): Promise<AffectedBooking[]> {
  requireMayClose(session, body)
  const { db } = context
  const now = toBusinessNow(context)
  const podIds = await findPods(db, body, true)
  const instances = await listWanted(db, podIds, body, now)
  return findFreePods(db, await listAffected(db, podIds, instances, now), podIds, now)
}

/** Throws a 409 when there are more than can be decided on at once. */
async function listAffected(db: Db | Tx, podIds: string[], instances: repository.Instance[], now: Date) {
  const affected = await repository.listAffected(db, podIds, instances, now, MAX_AFFECTED + 1)
  if (affected.length > MAX_AFFECTED) throw new AppError('closure_too_large')
  return affected
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
    const { instances, ...changed } = await decide(db, now, actor, session, podIds, body)
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
  body: ClosureBody,
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
    const { instances, ...changed } = await decide(db, now, actor, session, podIds, decided)
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
    await lockPods(tx, toClosed(before).podIds)
    if (before.location) await lockLocation(tx, before.location._id)
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

/**
 * Throws a 404 for deleted pods. With `someDeleted`, leaves them out beside others, as a closure that is edited may have
 * them.
 */
async function findPods(db: Db | Tx, { podIds, locationId }: Wanted, someDeleted = false): Promise<string[]> {
  if (locationId === undefined) {
    const ids = [...new Set(podIds)]
    const found = ids.every(isId)
      ? await db.selectFrom('pods').select(['id', 'deleted_at']).where('id', 'in', ids).execute()
      : []
    const kept = found.flatMap(({ id, deleted_at }) => (deleted_at === null ? id : []))
    const known = someDeleted && kept.length > 0 ? found : kept
    if (known.length !== ids.length) throw notFound('Pod')
    return kept
  }
  const location =
    isId(locationId) &&
    (await db
      .selectFrom('locations')
      .select('id')
      .where('id', '=', locationId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst())
  if (!location) throw notFound('Location')
  return repository.listPodIds(db, locationId)
}

/**
 * Locks the pods and carries out the decision for each booking that is hit. Returns when the pods are closed, and how
 * many bookings were moved and cancelled. Adds the pods that came to the location meanwhile to `podIds`.
 */
async function decide(
  tx: Tx,
  now: Date,
  actor: Actor,
  session: SignedIn,
  podIds: string[],
  { decisions, ...body }: ClosureBody,
): Promise<{ instances: repository.Instance[]; moved: number; cancelled: number }> {
  const chosen = decisions.flatMap(({ action, podId }) => (action === 'move' && podId && isId(podId) ? [podId] : []))
  const mayMove = decisions.some(({ action, podId }) => action === 'move' && !podId)
  const candidates = mayMove ? await listCandidates(tx, podIds, podIds, CHOSEN_AMONG) : new Map<string, Candidate[]>()
  const others = [...candidates.values()].flat().map(({ podId }) => podId)
  await lockPods(tx, [...new Set([...podIds, ...chosen, ...others])])
  if (body.locationId !== undefined) await lockLaterPods(tx, body.locationId, podIds)
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
  const closing = { actor, session, reason: `Closed: ${body.reason}`, now }
  const moved = hit('move').map((booking) => ({ booking, podId: byBooking.get(booking._id)?.podId }))
  const targets = await choosePods(tx, moved, new Set(podIds), candidates, now)
  const cancelled = hit('cancel').map(({ _id }) => _id)
  await cancelClosed(tx, closing, cancelled)
  await moveClosed(tx, closing, targets)
  return { instances, moved: moved.length, cancelled: cancelled.length }
}

/** Locks the location, then adds the pods that came to it in the meantime to `podIds`, so that they are closed too. */
async function lockLaterPods(tx: Tx, locationId: string, podIds: string[]): Promise<void> {
  await lockLocation(tx, locationId)
  const known = new Set(podIds)
  const later = (await repository.listPodIds(tx, locationId)).filter((id) => !known.has(id))
  if (later.length > 0) await lockPods(tx, later)
  podIds.push(...later)
}

type Candidate = AffectedBooking['free'][number]

/** How many similar pods are checked for offers, and, as many bookings may have to move, for automatic choices. */
const CANDIDATES = 10
const CHOSEN_AMONG = 50
const OFFERED = 3

/** Returns the candidates of each of these pods, which are all `closed`. */
async function listCandidates(
  db: Db | Tx,
  podIds: Iterable<string>,
  closed: readonly string[],
  most = CANDIDATES,
): Promise<Map<string, Candidate[]>> {
  const candidates = new Map<string, Candidate[]>()
  const byKind = new Map<string, Candidate[]>()
  for (const { id, kind } of await readKinds(db, [...new Set(podIds)])) {
    const found = byKind.get(kind) ?? (await listPodsLike(db, id, { except: closed, first: most }))
    byKind.set(kind, found)
    candidates.set(id, found)
  }
  return candidates
}

type Moved = { booking: Omit<AffectedBooking, 'free'>; podId: string | undefined }

/** Returns each booking's new pod: the named one, or a similar one that is free and no other booking moves to then. */
async function choosePods(
  tx: Tx,
  moved: readonly Moved[],
  closed: ReadonlySet<string>,
  candidates: ReadonlyMap<string, Candidate[]>,
  now: Date,
): Promise<Map<string, string>> {
  const chosen = new Map<string, string>()
  const taken: Interval[] = []
  for (const { booking, podId } of moved) {
    if (!podId) continue
    if (closed.has(podId)) throw fieldError('decisions', 'A booking cannot move to a pod that is being closed')
    if (!isId(podId)) throw notFound('Pod')
    chosen.set(booking._id, podId)
    taken.push(toInterval(booking, podId))
  }
  const open = moved.flatMap(({ booking, podId }) => (podId ? [] : [booking]))
  const wanted = open.map((booking) =>
    (candidates.get(booking.podId) ?? [])
      // A candidate may have come to the location since.
      .filter(({ podId }) => !closed.has(podId))
      .map(({ podId }) => toInterval(booking, podId)),
  )
  const found = await chooseFree(tx, wanted, { now, pages: [], taken })
  for (const [index, { _id, bookingDate, startTime, endTime, podTitle }] of open.entries()) {
    const interval = found[index]
    if (!interval) {
      const [from, to] = [startTime, endTime].map((time) => toClockLabel(time.slice(11, 16)))
      throw new AppError('slot_taken', {
        message: `No pod like ${podTitle} is free on ${bookingDate} from ${from} to ${to}.`,
      })
    }
    chosen.set(_id, interval.podId)
  }
  return chosen
}

function toInterval({ startTime, endTime }: Omit<AffectedBooking, 'free'>, podId: string): Interval {
  return { podId, start: new Date(startTime), end: new Date(endTime) }
}

/** Adds similar free pods to each booking. Bookings that have begun get none: they cannot change pods. */
async function findFreePods(
  db: Db,
  bookings: readonly Omit<AffectedBooking, 'free'>[],
  closedIds: readonly string[],
  now: Date,
): Promise<AffectedBooking[]> {
  const candidates = await listCandidates(
    db,
    bookings.map(({ podId }) => podId),
    closedIds,
  )
  const wanted = bookings.map((booking) =>
    new Date(booking.startTime) <= now
      ? []
      : (candidates.get(booking.podId) ?? []).map((pod) => ({ pod, interval: toInterval(booking, pod.podId) })),
  )
  const intervals = wanted.flatMap((ofBooking) => ofBooking.map(({ interval }) => interval))
  const isFree = await readFree(db, intervals, { now, pages: [] })
  return bookings.map((booking, index) => {
    const free = (wanted[index] ?? []).filter(({ interval }) => isFree(interval)).map(({ pod }) => pod)
    return Object.assign(booking, { free: free.slice(0, OFFERED) })
  })
}
