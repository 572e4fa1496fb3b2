import { type RawBuilder, sql } from 'kysely'
import { BLANKS } from '#server/http/csv.ts'

/** Formats that several reports share, as the screens have them: SQL expressions, like the cells they stand in. */

const NOT_AVAILABLE = sql.lit('N/A')

/** The cell, or 'N/A' where it is empty or null. */
export function orNotAvailable(cell: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`coalesce(nullif(${cell}, ''), ${NOT_AVAILABLE})`
}

export function formatStatus(isBlocked: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`case when ${isBlocked} then 'Inactive' else 'Active' end`
}

/** '9:00 AM' of a booking's wall clock; it is labelled Z and is never converted to a zone (rules §1.1). */
export function formatTime(wallClock: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`to_char(${wallClock} at time zone 'UTC', 'FMHH12:MI AM')`
}

/** '2026-11-21 9:00 AM' of an instant, on the wall clock of a time zone. */
export function formatDate(instant: RawBuilder<unknown>, timeZone: string): RawBuilder<string> {
  return sql<string>`to_char(${instant} at time zone ${sql.lit(timeZone)}, 'YYYY-MM-DD FMHH12:MI AM')`
}

/** 'First Last' of a row of users or staff. */
export const fullName = sql<string>`btrim(firstname || ' ' || lastname, ${sql.lit(BLANKS)})`
