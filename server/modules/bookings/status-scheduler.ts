import { sql } from 'kysely'
import { toWallClock } from '#contract/slots.ts'
import type { Db } from '#server/db/client.ts'
import { isOpen } from './booking-conditions.ts'

/**
 * Advances bookings as time passes (rules §4.7): Pending and Confirmed ones to Processing at their start, and to
 * Completed at their end. After a long pause, bookings that are over become Completed directly. `now` is an instant,
 * which is compared as the wall clock in `timeZone`. Returns the number of changed bookings.
 *
 * Several servers may do this at the same moment: each skips bookings that are locked, such as one being cancelled, and
 * leaves them to the lock's holder or to the next run.
 */
export async function advanceBookings(db: Db, now: Date, timeZone: string): Promise<number> {
  const wallClock = toWallClock(now, timeZone)
  const { numAffectedRows } = await sql`
    with due as (
      select id, status, (select title from pods where pods.id = pod_id) as label from bookings
       where ${isOpen}
         and start_time <= ${wallClock}
         and (status <> 'Processing' or end_time <= ${wallClock})
         for update skip locked
    ), advanced as (
      update bookings set status = case when end_time <= ${wallClock} then 'Completed' else 'Processing' end
        from due where bookings.id = due.id
      returning bookings.id, bookings.status, bookings.version, due.status as status_before, due.label
    )
    insert into audit (at, actor_kind, action, entity, entity_id, label, version, before, after)
    select next_change_at(id, ${now}), 'system', 'advance', 'booking', id, label, version,
           jsonb_build_object('status', status_before), jsonb_build_object('status', status)
      from advanced`.execute(db)
  return Number(numAffectedRows ?? 0)
}
