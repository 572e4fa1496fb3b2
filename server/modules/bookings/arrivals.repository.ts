import { sql } from 'kysely'
import type { ArrivalGroup } from '#contract/booking-statuses.ts'
import { MINUTE } from '#contract/durations.ts'
import type { Db } from '#server/db/client.ts'
import { hasId } from '#server/db/lists/has-id.ts'
import { isFound, type Search } from '#server/db/lists/search.ts'
import { podsOfAllLocations } from '#server/db/within-locations.ts'
import { personName, phone } from './booked-by.ts'
import { isOpen } from './booking-conditions.ts'

/** Selects the bookings, except cancelled ones, that begin at `from` or later but before `to`. */
function selectBetween(db: Db, from: Date, to: Date) {
  return db
    .selectFrom('bookings')
    .innerJoin('pods', 'pods.id', 'bookings.pod_id')
    .select(['bookings.id', 'bookings.pod_id', 'bookings.start_time', 'bookings.end_time'])
    .where('bookings.start_time', '>=', from)
    .where('bookings.start_time', '<', to)
    .where('bookings.status', '<>', 'Cancelled')
    .modifyEnd(podsOfAllLocations)
}

/** How long before the end of a booking somebody who is checked in counts as leaving. */
const LEAVING_MS = 15 * MINUTE

/** The group at `now`, the pods' wall clock. */
function groupAt(now: Date) {
  return sql<ArrivalGroup>`case
    when not ${isOpen} or bookings.end_time <= ${now} then 'over'
    when bookings.checked_in_at is null and bookings.start_time <= ${now} then 'late'
    when bookings.checked_in_at is null then 'expected'
    when bookings.end_time <= ${new Date(now.getTime() + LEAVING_MS)} then 'leaving'
    else 'in' end`
}

type ArrivalFilter = {
  from: Date
  to: Date
  now: Date
  location: string | undefined
  search: Search | undefined
  limit: number | undefined
}

/**
 * Lists these bookings by start, at most `limit` of each group, each with the number of its group. There are no more
 * columns than are shown: a busy day has thousands.
 */
export async function listArrivals(db: Db, { from, to, now, location, search, limit }: ArrivalFilter) {
  const ofDay = selectBetween(db, from, to)
    .select(['pods.title as pod_title', groupAt(now).as('group')])
    .$if(location !== undefined, (rows) => rows.where(hasId(sql`bookings.location_id`, location)))
    .$if(search !== undefined, (rows) => rows.where(isFound('bookings', search)))
  const numbered = db
    .selectFrom(ofDay.as('of_day'))
    .select(['id', 'pod_title', 'group'])
    .select(sql<number>`count(*) over (partition by "group")`.as('in_group'))
    .select(sql<number>`row_number() over (partition by "group" order by start_time, pod_title, id)`.as('number'))
  return db
    .selectFrom(numbered.as('numbered'))
    .innerJoin('bookings', 'bookings.id', 'numbered.id')
    .innerJoin('locations', 'locations.id', 'bookings.location_id')
    .leftJoin('users', 'users.id', 'bookings.user_id')
    .leftJoin('staff', 'staff.id', 'bookings.staff_id')
    .leftJoin('companies', 'companies.id', 'bookings.company_id')
    .select(['bookings.id', 'bookings.pod_id', 'bookings.start_time', 'bookings.end_time', 'bookings.user_id'])
    .select(['bookings.checked_in_at', 'bookings.no_show_at', 'bookings.ended_at', 'bookings.note', 'bookings.version'])
    .select(['bookings.status', 'locations.name as location_name', 'pod_title', 'group', 'in_group'])
    .select([sql<string>`coalesce(companies.name, ${personName})`.as('name'), phone.as('phone')])
    .$if(limit !== undefined, (rows) => rows.where(sql<boolean>`number <= ${limit}`))
    .orderBy('bookings.start_time')
    .orderBy('pod_title')
    .orderBy('bookings.id')
    .execute()
}

/** Lists what the codes of these bookings may contain. */
export async function listCodeSources(db: Db, from: Date, to: Date) {
  return selectBetween(db, from, to).select(['pods.device_id', 'pods.pod_user_id']).execute()
}
