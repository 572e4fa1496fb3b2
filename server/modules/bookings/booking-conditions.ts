import { sql } from 'kysely'
import { openStatuses } from '#contract/booking-statuses.ts'

/** What queries on the table `bookings` ask of a booking. */

/** Whether it is neither over nor cancelled. */
export const isOpen = sql<boolean>`bookings.status in (${sql.join(openStatuses.map((status) => sql.lit(status)))})`

/** The end of the time that it holds: after a no-show or an early end, the rest is free again. */
export const heldUntil = sql<Date>`coalesce(bookings.released_from, bookings.end_time)`

/** The customer or staff member to whom it belongs: the expression of the index bookings_owner_idx. */
export const ownerId = sql`coalesce(bookings.user_id, bookings.staff_id)`

/** Whether it was made or reinstated at this instant or later, or one of these columns has changed since. */
export const hasChangedSince = (at: Date, columns: readonly string[]) => sql<boolean>`(
  bookings.created_at >= ${at} or exists (
    select from audit
     where entity = 'booking' and entity_id = bookings.id and at >= ${at}
       and (action = 'reinstate' or after ?| ${columns}::text[])))`
