import { type RawBuilder, sql } from 'kysely'
import type { Booking } from '#contract/bookings.ts'
import { DASHBOARD_ROWS, type Dashboard, type DashboardPod } from '#contract/dashboard.ts'
import type { Db } from '#server/db/client.ts'
import { pageOf, toListOrder, toPage } from '#server/db/lists/pagination.ts'
import { countedRows, countOf } from '#server/db/lists/row-counts.ts'
import { isNarrowed, podsOfAllLocations } from '#server/db/within-locations.ts'
import { bookingColumns, orders as bookingOrders, toBooking } from '../bookings/bookings.repository.ts'
import { filterFeatures } from '../features/features.repository.ts'
import { filterLocations } from '../locations/locations.repository.ts'
import { firstImageOfPod } from '../pods/pod-images.repository.ts'
import { filterPods, podOrders } from '../pods/pods.list.ts'
import { filterUsers } from '../users/users.repository.ts'

export type Panel = keyof Dashboard['data']

const query = { limit: DASHBOARD_ROWS }

/** Returns the newest pods without fields that cards do not show: those are slow to read, and half of the bytes. */
export async function listPodCards(db: Db): Promise<DashboardPod[]> {
  const order = toListOrder(podOrders, undefined, '-createdAt')
  const cards = db
    .selectFrom('pods')
    .innerJoin('locations', 'locations.id', 'pods.location_id')
    .select(['pods.id as _id', 'pods.title', 'pods.is_blocked as isBlocked', firstImageOfPod.as('images')])
    .select(
      sql<DashboardPod['location']>`json_build_object(
        '_id', locations.id, 'name', locations.name, 'city', locations.city
      )`.as('location'),
    )
  const ids = toPage(filterPods(db.selectFrom('pods'), {}, undefined).select('pods.id'), order, query)
  return pageOf(cards, order, ids).execute()
}

/** Returns the newest bookings, without the location and customer that the list of bookings shows. */
export async function listNewestBookings(db: Db): Promise<Booking[]> {
  const order = toListOrder(bookingOrders, undefined, '-createdAt')
  const bookings = db
    .selectFrom('bookings')
    .innerJoin('pods', 'pods.id', 'bookings.pod_id')
    .select(bookingColumns)
    .select('pods.title as pod_title')
    .modifyEnd(podsOfAllLocations)
  const ids = toPage(db.selectFrom('bookings').select('bookings.id'), order, query)
  const rows = await pageOf(bookings, order, ids).execute()
  return rows.map(toBooking)
}

/** The number of rows that each list has on its own screen, without filters. */
const totals: Record<Panel, (db: Db) => RawBuilder<number>> = {
  pods: (db) => countOf(filterPods(db.selectFrom('pods'), {}, undefined)),
  feature: (db) => countOf(filterFeatures(db.selectFrom('features'), {}, undefined)),
  bookings: () => countedRows({ list: 'bookings' }),
  // Transactions and users are not counted per location, so narrowed totals are counted here.
  Transaction: (db) =>
    isNarrowed(db) ? countOf(db.selectFrom('transactions')) : countedRows({ list: 'transactions' }),
  location: (db) => countOf(filterLocations(db.selectFrom('locations'), {}, undefined)),
  userDetails: (db) =>
    isNarrowed(db)
      ? countOf(filterUsers(db.selectFrom('users'), { status: undefined }, undefined).where('deleted_at', 'is', null))
      : countedRows({ list: 'users' }),
}

/** Reads the totals of the panels with one query, as each query costs the server more than the database. */
export async function readTotals(db: Db, panels: readonly Panel[]): Promise<Partial<Record<Panel, number>>> {
  if (panels.length === 0) return {}
  const columns = panels.map((panel) => sql`${totals[panel](db)} as ${sql.id(panel)}`)
  const { rows } = await sql<Partial<Record<Panel, number>>>`select ${sql.join(columns)}`.execute(db)
  return rows[0] ?? {}
}
