import { type RawBuilder, sql } from 'kysely'
import { BLANKS } from '#server/http/csv.ts'

/** Formats shared by several reports, the same as on the screens. They are SQL expressions, like the cells. */

const NOT_AVAILABLE = sql.lit('N/A')

/** Returns the cell, or 'N/A' when it is empty or null. */
export function orNotAvailable(cell: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`coalesce(nullif(${cell}, ''), ${NOT_AVAILABLE})`
}

/** The status of a record that can be blocked and deleted. */
export const recordStatus = sql<string>`
  case when page.deleted_at is not null then 'Deleted' when page.is_blocked then 'Inactive' else 'Active' end`

/** Formats a booking's wall clock as '9:00 AM'. It is labelled Z and never converted to a time zone (rules §1.1). */
export function formatTime(wallClock: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${wallClock} at time zone 'UTC', 'FMHH12:MI AM')`
}

/** Formats an instant as '2026-11-21 9:00 AM', on the wall clock of a time zone. */
export function formatDate(instant: RawBuilder<unknown>, timeZone: string): RawBuilder<string> {
  return sql<string>`to_char(${instant} at time zone ${sql.lit(timeZone)}, 'YYYY-MM-DD FMHH12:MI AM')`
}

/** 'First Last', from a row of `users` or `staff`. */
export const fullName = sql<string>`btrim(firstname || ' ' || lastname, ${sql.lit(BLANKS)})`

/** The same of a customer, or the user name of one without a name (rules §8.1). */
export const customerName = sql<string>`coalesce(nullif(${fullName}, ''), username)`
