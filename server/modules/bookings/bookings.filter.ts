import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { BookingBalance, BookingMoment } from '#contract/booking-statuses.ts'
import type { BookingListQuery } from '#contract/bookings.ts'
import { DAY, HOUR } from '#contract/durations.ts'
import { hasId } from '#server/db/lists/has-id.ts'
import type { Counted } from '#server/db/lists/row-counts.ts'
import { isFound, type Search } from '#server/db/lists/search.ts'
import { isOpen, ownerId } from './booking-conditions.ts'

/** `now` is the pods' wall clock labelled Z; only `when` needs it. */
type BookingFilter = z.output<typeof BookingListQuery> & { now?: Date }

/** Applies the filters of the bookings screen to any query with the table `bookings`. */
export function filterBookings<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  { status, location, pod, user, company, from, to, when, balance, now }: BookingFilter,
  search: Search | undefined,
): SelectQueryBuilder<DB, TB, Row> {
  return rows
    .$if(search !== undefined, (rows) => rows.where(isFound('bookings', search)))
    .$if(status !== undefined, (rows) => rows.where(sql<boolean>`bookings.status = ${status}`))
    .$if(location !== undefined, (rows) => rows.where(hasId(sql`bookings.location_id`, location)))
    .$if(pod !== undefined, (rows) => rows.where(hasId(sql`bookings.pod_id`, pod)))
    .$if(user !== undefined, (rows) => rows.where(hasId(ownerId, user)))
    .$if(company !== undefined, (rows) => rows.where(hasId(sql`bookings.company_id`, company)))
    .$if(from !== undefined, (rows) => rows.where(sql<boolean>`bookings.start_time >= ${toDayStart(from)}`))
    .$if(to !== undefined, (rows) => rows.where(sql<boolean>`bookings.start_time < ${toDayEnd(to)}`))
    .$if(balance !== undefined, (rows) => rows.where(isOwed(balance)))
    .$call((rows) => (when === undefined || now === undefined ? rows : rows.where(isAt(when, now))))
}

/** As an array, because PostgreSQL would otherwise go through all bookings in the list's order. */
const isOwed = (balance: BookingBalance | undefined) => sql<boolean>`bookings.id = any(array(
  select booking_id from open_balances where amount ${sql.raw(balance === 'due' ? '> 0' : '< 0')}))`

/** No booking is longer than a day: the lower bound saves reading every open booking that has ever begun. */
const isRunning = (now: Date) => sql<boolean>`(${isOpen} and bookings.start_time > ${new Date(now.getTime() - DAY)}
  and bookings.start_time <= ${now} and bookings.end_time > ${now})`

const moments: Record<BookingMoment, (now: Date) => RawBuilder<boolean>> = {
  upcoming: (now) => sql`(${isOpen} and bookings.end_time > ${now})`,
  past: (now) => sql`not (${isOpen} and bookings.end_time > ${now})`,
  running: isRunning,
  late: (now) => sql`(${isRunning(now)} and bookings.checked_in_at is null)`,
  arriving: (now) => sql`(${isOpen} and bookings.checked_in_at is null and bookings.start_time > ${now}
    and bookings.start_time <= ${new Date(now.getTime() + HOUR)})`,
  'no-show': () => sql`bookings.no_show_at is not null`,
}

/** Returns the condition for `when` at `now`, a wall clock labelled Z. */
export function isAt(when: BookingMoment, now: Date): RawBuilder<boolean> {
  return moments[when](now)
}

/** Returns the filter in the form that row_counts keeps counts for; undefined when it keeps none. */
export function toCounted(query: z.output<typeof BookingListQuery>): Counted | undefined {
  const { status, location, pod, user, company, from, to, when, balance, search } = query
  if ([pod, user, company, when, balance].some((one) => one !== undefined) || search) return undefined
  const hasDates = from !== undefined || to !== undefined
  return {
    list: 'bookings',
    status,
    kind: location,
    days: hasDates ? { dayOf: 'start_time', first: from, last: to } : undefined,
  }
}

/** A booking belongs to the day of its start, by the wall clock labelled Z. */
function toDayStart(date: string | undefined): Date {
  return new Date(`${date}T00:00:00.000Z`)
}

function toDayEnd(date: string | undefined): Date {
  return new Date(toDayStart(date).getTime() + DAY)
}
