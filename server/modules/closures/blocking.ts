import { type RawBuilder, sql } from 'kysely'
import type { Actor, AppContext } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { ofAllLocations } from '#server/db/within-locations.ts'
import { createId } from '#server/ids.ts'
import { isOfSameRequest } from '../audit/audit.repository.ts'
import { recordChange, recordCreation } from '../audit/record-change.ts'
import { systemActor } from '../audit/record-event.ts'
import type { RecordKind } from '../audit/record-kind.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { locationRecord } from '../locations/locations.repository.ts'
import { podRecord } from '../pods/pods.repository.ts'
import { closureRecord, endClosure, insertClosure, isClosureOf, replaceInstances } from './closures.repository.ts'
import { type ClosureTimes, listPlanned } from './repetition.ts'

/**
 * A pod or a location is blocked while it is closed until further notice (rules §26.7). Closures decide; `is_blocked`
 * is kept in step with them for lists, counts and files. A pod in a blocked location is not blocked itself.
 */

export type Blockable = { entity: 'pod' | 'location'; id: string }

/** The reason of a block when the client gives none. */
const NO_REASON = 'Blocked'

const kinds: Record<Blockable['entity'], RecordKind> = { pod: podRecord, location: locationRecord }

/** Joins the closures of the pod or location with this id that have no end, and have begun at `now` if it is given. */
const openEnded = (entity: Blockable['entity'], id: RawBuilder<unknown>, now?: Date) => sql`
  closures join closure_instances as instance on instance.closure_id = closures.id
   and instance.ends = 'infinity' ${now ? sql`and instance.starts <= ${now}` : sql``}
   and ${isClosureOf(entity, id)}`

/**
 * Closes a pod or location until further notice, or ends the closures that do so. The caller has locked its row, so
 * that new bookings wait and then see the closure, and sets `is_blocked`. Leaves the affected bookings as they are.
 */
export async function closeOrOpen(
  tx: Tx,
  actor: Actor,
  of: Blockable,
  isBlocked: boolean,
  now: Date,
  reason = NO_REASON,
): Promise<void> {
  const found = await listOpenEnded(tx, of, now)
  if (isBlocked && found.length === 0) await close(tx, actor, of, { reason, starts: now, ends: null, rrule: null }, now)
  if (!isBlocked) for (const closure of found) await open(tx, { ...actor, expects: 'any' }, of, closure, now)
}

/**
 * Undoes the block that the change `changeId` was. A closure that its request edited is as it was before, unless that
 * would be over by now; all others end.
 */
export async function openAsBefore(tx: Tx, actor: Actor, of: Blockable, changeId: string, now: Date): Promise<void> {
  const by = { ...actor, expects: 'any' } as const
  const earlier = await findEarlier(tx, of, changeId, now)
  for (const closure of await listOpenEnded(tx, of, now)) {
    const isLeft = earlier?.id === closure.id && listPlanned(earlier, now).length > 0
    await (isLeft ? putBack(tx, by, of, earlier, now) : open(tx, by, of, closure, now))
  }
}

/**
 * Closes a pod or location until further notice, as before the change `changeId`: by the closure that its request edited,
 * or else by a new one with the reason of that which ended.
 */
export async function closeAgain(tx: Tx, actor: Actor, of: Blockable, changeId: string, now: Date): Promise<void> {
  const earlier = await findEarlier(tx, of, changeId, now)
  if (earlier?.ends === null) return putBack(tx, { ...actor, expects: 'any' }, of, earlier, now)
  const { rows } = await sql<{ reason: string }>`
    select coalesce(other.before ->> 'reason', other.label) as reason
      from audit join audit as other on ${isOfSameRequest} and other.entity = 'closure'
     where audit.id = ${changeId} ${ofAllLocations}
     order by other.at, other.id
     limit 1`.execute(tx)
  await closeOrOpen(tx, actor, of, true, now, rows[0]?.reason)
}

type Times = ClosureTimes & { reason: string }

type Earlier = Times & { id: string; pods: number }

/** Finds the closure whose times the request of the change edited, as it was before that; undefined if it is over. */
async function findEarlier(tx: Tx, { entity, id }: Blockable, changeId: string, now: Date) {
  const edited = sql`
    audit join audit as other on ${isOfSameRequest} and other.entity = 'closure' and other.action = 'edit'
     join closures on closures.id = other.entity_id and ${isClosureOf(entity, sql`${id}::uuid`)}
    where audit.id = ${changeId} and other.before ?| '{starts,ends,rrule}' and closures.ended_at is null
      and exists (select from closure_instances where closure_id = closures.id and ends > ${now}) ${ofAllLocations}`
  await sql`select from ${edited} for no key update of closures`.execute(tx)
  const was = sql`jsonb_populate_record(closures, other.before)`
  const { rows } = await sql<Earlier>`
    select closures.id, (${was}).reason, (${was}).starts, (${was}).ends, (${was}).rrule,
           (select count(*) from closure_pods where closure_id = closures.id) as pods
      from ${edited}`.execute(tx)
  return rows[0]
}

/** Makes the closure what it was; one pod of several gets a closure of its own, as the closure was. */
async function putBack(tx: Tx, actor: Actor, of: Blockable, { id, pods, ...earlier }: Earlier, now: Date) {
  if (pods > 1) {
    await open(tx, actor, of, { id, pods }, now)
    return close(tx, actor, of, earlier, now)
  }
  await recordChange(tx, actor, closureRecord(now), { id, action: 'edit' }, async () => {
    await tx.updateTable('closures').set(earlier).where('id', '=', id).execute()
    await replaceInstances(tx, id, now, listPlanned(earlier, now))
  })
}

type OpenEnded = { id: string; pods: number }

/** Lists the closures without an end that have begun. If none of a blocked record has, the clocks have gone back since. */
async function listOpenEnded(tx: Tx, { entity, id }: Blockable, now: Date): Promise<OpenEnded[]> {
  const found = openEnded(entity, sql`${id}::uuid`)
  // Locked before their pods are counted: another pod of the same closure may be opened at the same moment.
  await sql`select from ${found} order by closures.id for no key update of closures`.execute(tx)
  const { rows } = await sql<OpenEnded & { starts: Date; isBlocked: boolean }>`
    select closures.id, instance.starts,
           (select is_blocked from ${sql.table(kinds[entity].table)} where id = ${id}) as "isBlocked",
           (select count(*) from closure_pods where closure_id = closures.id) as pods
      from ${found}
     order by instance.starts, closures.id`.execute(tx)
  const begun = rows.filter(({ starts }) => starts <= now)
  return begun.length > 0 ? begun : rows.filter(({ isBlocked }) => isBlocked).slice(0, 1)
}

async function close(
  tx: Tx,
  actor: Actor,
  { entity, id }: Blockable,
  { reason, starts, ends, rrule }: Times,
  now: Date,
): Promise<void> {
  const closure = {
    id: createId(actor.now().getTime()),
    location_id: entity === 'location' ? id : null,
    reason,
    starts,
    ends,
    rrule,
    created_by: actor.kind === 'staff' ? actor.id : null,
    created_at: actor.now(),
  }
  await recordCreation(tx, actor, closureRecord(now), closure.id, () =>
    insertClosure(tx, closure, entity === 'pod' ? [id] : [], listPlanned(closure, now)),
  )
}

/** Ends the closure; if it closes other pods too, only removes this pod from it. */
async function open(tx: Tx, actor: Actor, of: Blockable, { id, pods }: OpenEnded, now: Date): Promise<void> {
  const isShared = pods > 1
  await recordChange(tx, actor, closureRecord(now), { id, action: isShared ? 'edit' : 'end' }, async () => {
    if (!isShared) return endClosure(tx, id, now, actor.now())
    await tx.deleteFrom('closure_pods').where('closure_id', '=', id).where('pod_id', '=', of.id).execute()
  })
}

async function writeFlag(tx: Tx, actor: Actor, { entity, id }: Blockable, now: Date): Promise<true> {
  await sql`
    update ${sql.table(kinds[entity].table)} as record
       set is_blocked = not is_blocked ${entity === 'pod' ? sql`, updated_at = ${actor.now()}` : sql``}
     where id = ${id} and is_blocked <> exists (select from ${openEnded(entity, sql`record.id`, now)}) ${ofAllLocations}`.execute(
    tx,
  )
  return true
}

/**
 * Sets `is_blocked` as the closures say, and records the changes, also of deleted records, which may be restored.
 * Returns the number of changed flags. Reads all locations: a pod may have just moved to another than its closure was
 * ended for. Without `only` it looks at all pods and locations, and only blocks: a closure without an end never ends by
 * itself, and one that seems not to have begun yet has been overtaken by clocks that went back.
 */
export async function followClosures(
  tx: Tx,
  actor: Actor,
  now: Date,
  only?: { podIds: readonly string[]; locationId: string | undefined },
): Promise<number> {
  const of = {
    pod: only ? sql`record.id = any(${only.podIds}::uuid[])` : sql`true`,
    location: only ? sql`record.id = ${only.locationId ?? null}::uuid` : sql`true`,
  }
  const changed = []
  // Pods before locations, in the order in which bookings lock them.
  for (const entity of ['pod', 'location'] as const) {
    const { rows } = await sql<{ id: string; isDeleted: boolean; isBlocked: boolean; reason: string | null }>`
      select id, deleted_at is not null as "isDeleted", is_blocked as "isBlocked", reason
        from ${sql.table(kinds[entity].table)} as record
        left join lateral (
          select reason from ${openEnded(entity, sql`record.id`, now)} order by instance.starts limit 1
        ) as closure on true
       where ${of[entity]} ${ofAllLocations} and ${only ? sql`is_blocked <> (reason is not null)` : sql`not is_blocked and reason is not null`}
       order by id`.execute(tx)
    changed.push(...rows.map((row) => Object.assign(row, { entity })))
  }
  for (const { entity, id, isDeleted, isBlocked, reason } of changed) {
    const change = { id, action: isBlocked ? 'unblock' : 'block', reason: reason ?? undefined, isDeleted } as const
    const write = () => writeFlag(tx, actor, { entity, id }, now)
    await recordChange(tx, { ...actor, expects: 'any' }, kinds[entity], change, write)
  }
  return changed.length
}

/** Job: sets the flags when closures without an end begin. */
export async function followAllClosures(context: AppContext): Promise<number> {
  const { db, clock, live } = context
  const actor = systemActor(() => clock.now())
  const changed = await inTransaction(db, (tx) => followClosures(tx, actor, toBusinessNow(context)))
  if (changed > 0) live.publish([{ entity: 'pod' }, { entity: 'location' }, { entity: 'closure' }])
  return changed
}
