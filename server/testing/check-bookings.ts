import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/client.ts'

export type BookingCheck = {
  bookings: number
  slots: number
  transactions: number
  /** Pairs of overlapping bookings of a pod: 0 in a valid database. */
  overlaps: number
  /** Bookings with wrong slots, or cancelled ones with any: 0 in a valid database. */
  wrongSlots: number
  /** Bookings whose row of `open_balances` is not what it should be: 0 in a valid database. */
  wrongBalances: number
}

/** Counts records and inconsistencies in the whole database. */
export async function checkBookings(db: Db | Tx): Promise<BookingCheck> {
  const { rows } = await sql<BookingCheck>`select
    (select count(*) from bookings) as bookings,
    (select count(*) from booking_slots where not is_buffer) as slots,
    (select count(*) from transactions) as transactions,
    (select count(*) from (
      select start_time < lag(coalesce(released_from, end_time)) over (partition by pod_id order by start_time) as clashes
      from bookings where status <> 'Cancelled'
    ) as neighbours where clashes) as overlaps,
    (select count(*) from bookings left join (
        select booking_id, count(*) as held, min(slot_start) as first, max(slot_start) as last, min(pod_id::text) as pod
        from booking_slots where not is_buffer group by booking_id
      ) as slots on slots.booking_id = bookings.id
      cross join lateral (select coalesce(released_from, end_time) as slots_end) as until
      where case when status = 'Cancelled' or slots_end = start_time then held is not null
        else held is distinct from extract(epoch from slots_end - start_time) / 900 or first is distinct from start_time
          or last is distinct from slots_end - interval '15 minutes' or pod is distinct from pod_id::text end
        or slot_count <> extract(epoch from end_time - start_time) / 900 + 1
    ) as "wrongSlots",
    (select count(*) from booking_balances full join open_balances on booking_id = id
      where booking_balances.amount is distinct from coalesce(open_balances.amount, 0)) as "wrongBalances"`.execute(db)
  const check = rows[0]
  if (!check) throw new Error('The check returned no row')
  return check
}
