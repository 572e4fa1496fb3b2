import { type RawBuilder, sql } from 'kysely'
import type { Today } from '#contract/dashboard.ts'
import { DAY } from '#contract/durations.ts'
import { PAGE } from '#contract/pages.ts'
import { CLOSING_HOUR, OPENING_HOUR, SLOT_MS, toDate } from '#contract/slots.ts'
import type { AppContext, SignedIn } from '#server/context.ts'
import type { Db } from '#server/db/client.ts'
import { toInstants } from '#server/db/lists/days.ts'
import { countDeadJobs } from '#server/jobs/queue.ts'
import { findObstaclesOfEach } from '../availability/availability.ts'
import { heldUntil } from '../bookings/booking-conditions.ts'
import { isAt } from '../bookings/bookings.filter.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { filterPods } from '../pods/pods.list.ts'
import { filterTransactions, filterWithin } from '../transactions/transactions.filter.ts'

/** Today and the seven days after it. */
const DAYS = 8

/** Returns the figures of this moment. Figures of pages that the caller lacks are null and not read (rules §31.3). */
export async function getToday(
  context: AppContext,
  { pages, locations }: Pick<SignedIn, 'pages' | 'locations'>,
): Promise<Today> {
  const { db, config } = context
  const now = toBusinessNow(context)
  const holdsBookings = pages.includes(PAGE.bookings)
  const [bookings, freePods, closedPods, failedPayments, failedJobs, occupancy] = await Promise.all([
    holdsBookings ? countBookings(db, now) : null,
    holdsBookings ? countFreePods(db, now) : null,
    pages.includes(PAGE.pods) ? countClosedPods(db, now) : null,
    pages.includes(PAGE.transactions) ? countFailedPayments(db, toDate(now), config.businessTimeZone) : null,
    pages.includes(PAGE.staff) && locations === null ? countDeadJobs(db) : null,
    holdsBookings ? readOccupancy(db, now) : null,
  ])
  return { now: now.toISOString(), bookings, freePods, closedPods, failedPayments, failedJobs, occupancy }
}

/** Counts with the filters of the list of bookings, which each figure links to. */
async function countBookings(db: Db, now: Date): Promise<NonNullable<Today['bookings']>> {
  const count = (condition: RawBuilder<boolean>) => sql<number>`(select count(*) from bookings where ${condition})`
  const { rows } = await sql<NonNullable<Today['bookings']>>`
    select ${count(isAt('running', now))} as running, ${count(isAt('arriving', now))} as arriving,
           ${count(isAt('late', now))} as late`.execute(db)
  return rows[0] ?? { running: 0, arriving: 0, late: 0 }
}

/** Counts the pods that could be booked for the quarter of an hour that contains `now`. */
async function countFreePods(db: Db, now: Date): Promise<number> {
  const start = new Date(Math.floor(now.getTime() / SLOT_MS) * SLOT_MS)
  const end = new Date(start.getTime() + SLOT_MS)
  const pods = await selectBookable(db).select('pods.id').execute()
  const obstacles = await findObstaclesOfEach(
    db,
    pods.map(({ id }) => ({ podId: id, start, end })),
    // Only counted, so nobody is told what is in the way.
    { now, pages: [] },
  )
  return obstacles.filter((found) => found.length === 0).length
}

/** Counts with the filter of the list of pods, which the figure links to. */
async function countClosedPods(db: Db, now: Date): Promise<number> {
  const rows = filterPods(db.selectFrom('pods'), { closed: 'now', now }, undefined)
  const { pods } = await rows.select(({ fn }) => fn.countAll<number>().as('pods')).executeTakeFirstOrThrow()
  return pods
}

function selectBookable(db: Db) {
  return db
    .selectFrom('pods')
    .innerJoin('locations', 'locations.id', 'pods.location_id')
    .where('pods.deleted_at', 'is', null)
    .where('pods.is_blocked', '=', false)
    .where('locations.is_blocked', '=', false)
}

async function countFailedPayments(db: Db, date: string, timeZone: string): Promise<number> {
  const rows = filterTransactions(db.selectFrom('transactions'), { status: 'failed' }, undefined)
  const { payments } = await filterWithin(rows, toInstants({ from: date, to: date }, timeZone))
    .select(({ fn }) => fn.countAll<number>().as('payments'))
    .executeTakeFirstOrThrow()
  return payments
}

/** Returns the booked minutes of each hour, of pods that can be booked and without time that was freed again. */
async function readOccupancy(db: Db, now: Date): Promise<Today['occupancy']> {
  const first = new Date(`${toDate(now)}T00:00:00.000Z`)
  const end = new Date(first.getTime() + DAYS * DAY)
  const [{ pods }, { rows }] = await Promise.all([
    selectBookable(db)
      .select(({ fn }) => fn.countAll<number>().as('pods'))
      .executeTakeFirstOrThrow(),
    sql<{ date: string; hour: number; minutes: number }>`
      select start_time::date::text as date, extract(hour from hour)::int as hour,
             sum(bookings * extract(epoch from least(end_time, hour + interval '1 hour') - greatest(start_time, hour)) / 60)::int as minutes
        from (select start_time at time zone 'UTC' as start_time, ${heldUntil} at time zone 'UTC' as end_time, count(*) as bookings
                from bookings
               where start_time >= ${first} and start_time < ${end} and status <> 'Cancelled' and ${heldUntil} > start_time
                 and pod_id in (${selectBookable(db).select('pods.id')})
               group by 1, 2) as booked,
             generate_series(date_trunc('hour', start_time), end_time - interval '1 second', interval '1 hour') as hour
       group by 1, 2`.execute(db),
  ])
  const minutes = new Map(rows.map(({ date, hour, minutes }) => [`${date} ${hour}`, minutes]))
  const hours = Array.from({ length: CLOSING_HOUR - OPENING_HOUR }, (_, index) => OPENING_HOUR + index)
  const days = Array.from({ length: DAYS }, (_, index) => toDate(new Date(first.getTime() + index * DAY)))
  return {
    podMinutes: pods * 60,
    days: days.map((date) => ({ date, minutes: hours.map((hour) => minutes.get(`${date} ${hour}`) ?? 0) })),
  }
}
