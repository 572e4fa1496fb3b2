import { type RawBuilder, sql } from 'kysely'
import { podsOfAllLocations } from '#server/db/within-locations.ts'
import { toCsvText } from '#server/http/csv.ts'
import type { Lookups } from './csv-batches.ts'
import { customerName, fullName } from './formatters.ts'

/**
 * Joins the pod, location, customer and staff member to each booking in the table `of`, as the cells `pod.title`,
 * `location.name`, `location.address`, `customer.name` and `booker.name`. Each is made once per batch, however many
 * bookings share it. All locations and staff are read, as they are few. Pods and customers are found by their keys;
 * the arrays keep the database from scanning those tables. Deleted records keep their names (rules §18.1).
 */
export function joinBookingLookups(of: 'page' | 'booking'): Lookups {
  const booking = sql.raw(of)
  const isOne = (key: string) => sql`id = any(array(select ${sql.raw(key)} from ${booking}))`
  return {
    tables: sql`, pod as materialized (
        select id, ${toCsvText(sql`title`)} as title from pods where ${isOne('pod_id')} ${podsOfAllLocations}
      ), location as materialized (
        select id, ${toCsvText(sql`name`)} as name, ${toCsvText(sql`address`)} as address
          from (select id, name, ${address} as address from locations ${once}) as located
      ), customer as materialized (
        select id, ${toCsvText(sql`name`)} as name
          from (select id, ${customerName} as name from users where ${isOne('user_id')} ${once}) as named
      ), booker as materialized (
        select id, ${toCsvText(sql`name`)} as name
          from (select id, ${fullName} as name from staff ${once}) as named
      )`,
    joins: sql`
      left join pod on pod.id = ${booking}.pod_id
      left join location on location.id = ${booking}.location_id
      left join customer on customer.id = ${booking}.user_id
      left join booker on booker.id = ${booking}.staff_id`,
  }
}

/** The name of the customer or staff member whose booking it is; every booking has exactly one of the two. */
export const personName: RawBuilder<string> = sql`coalesce(customer.name, booker.name)`

/** The name of the company that a booking is for; empty for other bookings. */
export function companyName(id: RawBuilder<unknown>): RawBuilder<string> {
  return sql`coalesce((select ${toCsvText(sql`name`)} from companies where id = ${id}), '')`
}

const address = sql`concat_ws(', ', nullif(name, ''), nullif(street, ''), nullif(city, ''), nullif(state, ''),
  nullif(country_code, ''), nullif(zip, ''))`

/** Keeps the database from inlining the subquery, which would build the text again for each use in a cell. */
const once = sql`offset 0`
