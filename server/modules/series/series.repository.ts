import { type Insertable, sql } from 'kysely'
import { quoteRefund, toFullRefund } from '#contract/cancel-policy.ts'
import type { ScopeQuery, Series } from '#contract/series.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { Database } from '#server/db/schema.ts'
import { ofAllLocations, podsOfAllLocations } from '#server/db/within-locations.ts'
import { ledgerColumns, policyOf, toLedger } from '../bookings/booking-money.ts'

/** The statuses of bookings that have not begun. */
const movable = ['Pending', 'Confirmed'] as const

export async function insertSeries(tx: Tx, series: Insertable<Database['series']>): Promise<void> {
  await tx.insertInto('series').values(series).execute()
}

/** `now` is the pods' wall clock labelled Z (rules §1.1). */
export async function findSeries(
  db: Db | Tx,
  id: string,
  now: Date,
): Promise<{ series: Series; madeBy: string } | undefined> {
  const row = await db
    .selectFrom('series')
    .leftJoin('pods', 'pods.id', 'series.pod_id')
    .select(['series.id', 'pods.id as pod_id', 'pods.title', 'purpose', 'rule', 'made_by_staff_id', 'series.version'])
    .where('series.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const bookings = await db
    .selectFrom('bookings')
    .innerJoin('pods', 'pods.id', 'bookings.pod_id')
    .innerJoin('locations', 'locations.id', 'bookings.location_id')
    .select(['bookings.id', 'pod_id', 'pods.title', 'booking_date', 'start_time', 'end_time', 'status'])
    .select('locations.name as location_name')
    .select(policyOf().as('policy'))
    .select(ledgerColumns)
    .where('series_id', '=', id)
    .orderBy('start_time')
    .orderBy('bookings.id')
    .modifyEnd(podsOfAllLocations)
    .execute()
  const { count } = await db
    .selectFrom('bookings')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('series_id', '=', id)
    .modifyEnd(ofAllLocations)
    .executeTakeFirstOrThrow()
  // The pod of the series is at a location that the person does not have: they see its bookings in other pods.
  const [first] = bookings
  const series = {
    _id: row.id,
    podId: row.pod_id ?? first?.pod_id ?? '',
    podTitle: row.title ?? first?.title ?? '',
    bookingPurpose: row.purpose,
    rule: row.rule,
    bookings: bookings.map((booking) => ({
      _id: booking.id,
      podId: booking.pod_id,
      podTitle: booking.title,
      locationName: booking.location_name,
      bookingDate: booking.booking_date,
      startTime: booking.start_time.toISOString(),
      endTime: booking.end_time.toISOString(),
      status: booking.status,
      isUpcoming: booking.start_time > now && movable.some((status) => status === booking.status),
      paid: toFullRefund(toLedger(booking)),
      refund: quoteRefund(booking.policy, toLedger(booking), booking.start_time, now).amount,
    })),
    ...(Number(count) > bookings.length && { hasOtherBookings: true }),
    version: row.version,
  }
  return { series, madeBy: row.made_by_staff_id }
}

/** Increments the version of the series, which locks its row, and returns the new version. */
export async function incrementVersion(tx: Tx, id: string): Promise<number> {
  const rows = tx.updateTable('series').set(({ eb }) => ({ version: eb('version', '+', 1) }))
  const row = await rows.where('id', '=', id).returning('version').executeTakeFirstOrThrow()
  return row.version
}

/** Returns the bookings of the scope that begin after `now` and are not cancelled, ordered by start. */
export async function listScope(
  db: Db | Tx,
  seriesId: string,
  { scope, booking }: Pick<ScopeQuery, 'scope' | 'booking'>,
  now: Date,
) {
  return db
    .selectFrom('bookings')
    .selectAll()
    .where('series_id', '=', seriesId)
    .where('status', 'in', movable)
    .where('start_time', '>', now)
    .$if(scope === 'this', (rows) => rows.where(sql<boolean>`id = ${booking}`))
    .$if(scope === 'following', (rows) =>
      rows.where(
        sql<boolean>`start_time >= (select start_time from bookings where id = ${booking} and series_id = ${seriesId})`,
      ),
    )
    .orderBy('start_time')
    .orderBy('id')
    .execute()
}
