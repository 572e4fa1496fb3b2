import { sql } from 'kysely'
import type { Db } from '#server/db/client.ts'
import { ownerId } from './booking-conditions.ts'

/** The kind of record whose bookings are counted. */
export type BookingOwner = 'pod' | 'location' | 'user' | 'staff' | 'company'

const owners = {
  pod: { table: sql.table('pods'), column: sql`bookings.pod_id` },
  location: { table: sql.table('locations'), column: sql`bookings.location_id` },
  user: { table: sql.table('users'), column: ownerId },
  staff: { table: sql.table('staff'), column: ownerId },
  company: { table: sql.table('companies'), column: sql`bookings.company_id` },
} as const

/** Counts upcoming bookings: they begin after `now`, a wall clock labelled Z. Undefined when there is no such owner. */
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
