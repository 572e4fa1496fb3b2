import { sql } from 'kysely'
import type { Db } from '#server/db/client.ts'

/** Whose bookings are counted. */
export type BookingOwner = 'pod' | 'location' | 'user' | 'staff' | 'company'

const owners = {
  pod: { table: sql.table('pods'), column: sql`bookings.pod_id` },
  location: { table: sql.table('locations'), column: sql`bookings.location_id` },
  // As the index bookings_owner_idx has it.
  user: { table: sql.table('users'), column: sql`coalesce(bookings.user_id, bookings.staff_id)` },
  staff: { table: sql.table('staff'), column: sql`coalesce(bookings.user_id, bookings.staff_id)` },
  company: { table: sql.table('companies'), column: sql`bookings.company_id` },
} as const

/** Bookings that begin after `now`, a wall clock labelled Z, and are not cancelled; undefined without such an owner. */
export async function countUpcomingBookings(
  db: Db,
  owner: BookingOwner,
  id: string,
  now: Date,
): Promise<number | undefined> {
  const { table, column } = owners[owner]
  const { rows } = await sql<{ bookings: number }>`
    select (select count(*) from bookings
             where ${column} = owner.id and status in ('Pending', 'Confirmed') and start_time > ${now}) as bookings
      from ${table} as owner where owner.id = ${id} and owner.deleted_at is null`.execute(db)
  return rows[0]?.bookings
}
