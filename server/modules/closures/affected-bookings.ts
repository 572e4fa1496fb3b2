import { MAX_AFFECTED } from '#contract/closure-limits.ts'
import type { AffectedBooking } from '#contract/closures.ts'
import { toClockLabel } from '#contract/slots.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { AppError, fieldError, notFound } from '#server/http/app-error.ts'
import { isId } from '#server/ids.ts'
import { listPodsLike, readKinds } from '../availability/availability.repository.ts'
import { chooseFree, readFree } from '../availability/free-instead.ts'
import type { Interval } from '../availability/obstacles.ts'
import * as repository from './closures.repository.ts'

/** The bookings that a closure affects, and the pods that they can move to (rules §26.6). */

/** Throws a 409 when there are more than can be decided on at once. */
export async function listAffected(db: Db | Tx, podIds: string[], instances: repository.Instance[], now: Date) {
  const affected = await repository.listAffected(db, podIds, instances, now, MAX_AFFECTED + 1)
  if (affected.length > MAX_AFFECTED) throw new AppError('closure_too_large')
  return affected
}

export type Candidate = AffectedBooking['free'][number]

/** How many similar pods are checked for offers, and, as many bookings may have to move, for automatic choices. */
const CANDIDATES = 10
export const CHOSEN_AMONG = 50
const OFFERED = 3

/** Returns the candidates of each of these pods, which are all `closed`. */
export async function listCandidates(
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
export async function choosePods(
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
export async function addFreePods(
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
