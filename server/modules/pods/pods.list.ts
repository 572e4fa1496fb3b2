import { type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { PodListQuery, podEndpoints } from '#contract/pods.ts'
import { chooseSearch } from '#server/db/lists/define-list.ts'
import { hasId } from '#server/db/lists/has-id.ts'
import { hasStatus } from '#server/db/lists/has-status.ts'
import { byText, toListOrder } from '#server/db/lists/pagination.ts'
import { isFound, type Search } from '#server/db/lists/search.ts'
import type { Database } from '#server/db/schema.ts'
import { toCsvNumber, toCsvText } from '#server/http/csv.ts'
import type { Handler } from '#server/http/handler.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { isPodClosedAt } from '../closures/closures.repository.ts'
import type { CsvColumns } from '../exports/csv-batches.ts'
import { csvDownload } from '../exports/csv-download.ts'
import { recordStatus } from '../exports/formatters.ts'

/** The orders, filters and CSV file of the list of pods. */

const id = sql.ref('pods.id')
export const podOrders = {
  title: { by: byText(sql.ref('pods.title')), type: 'text', id },
  createdAt: { by: sql.ref('pods.created_at'), type: 'timestamptz', id },
  rate: { by: sql.ref('pods.rate'), type: 'numeric', id },
} as const

/** `now` is the wall clock of the pods; only `closed` needs it. */
type PodFilter = z.output<typeof PodListQuery> & { now?: Date }

/** Applies the filters of the pods screen to a query on `pods`. */
export function filterPods<TB extends keyof Database, Row>(
  rows: SelectQueryBuilder<Database, TB, Row>,
  { status, location, closed, minCapacity, minBuffer, now }: PodFilter,
  search: Search | undefined,
): SelectQueryBuilder<Database, TB, Row> {
  return rows
    .where(hasStatus('pods', status))
    .where(isFound('pods', search))
    .$if(location !== undefined, (rows) => rows.where(hasId(sql`pods.location_id`, location)))
    .$call((rows) => (closed === undefined || now === undefined ? rows : rows.where(isPodClosedAt(now))))
    .$if(minCapacity !== undefined, (rows) => rows.where(sql<boolean>`pods.capacity >= ${minCapacity}`))
    .$if(minBuffer !== undefined, (rows) => rows.where(sql<boolean>`pods.buffer_minutes >= ${minBuffer}`))
}

// The columns of the screen's table (rules §13.3), without the images.
const columns: CsvColumns = {
  'Pod Id': sql`page.id`,
  Title: toCsvText(sql`page.title`),
  Location: toCsvText(sql`page.location_name`),
  City: toCsvText(sql`page.city`),
  State: toCsvText(sql`page.state`),
  'Rate per Minute': toCsvNumber(sql`page.rate`),
  Status: recordStatus,
  Capacity: toCsvNumber(sql`page.capacity`),
  'Cleaning Minutes': toCsvNumber(sql`page.buffer_minutes`),
}

export const exportPods: Handler<typeof podEndpoints.export> = async ({ context, actor, query }) => {
  const { db } = context
  const pods = db.selectFrom('pods').innerJoin('locations', 'locations.id', 'pods.location_id')
  const search = await chooseSearch(db, 'pods', query.search)
  const rows = filterPods(pods, { ...query, now: toBusinessNow(context) }, search).select([
    'pods.id',
    'pods.title',
    'locations.name as location_name',
    'locations.city',
    'locations.state',
    'pods.rate',
    'pods.is_blocked',
    'pods.deleted_at',
    'pods.capacity',
    'pods.buffer_minutes',
  ])
  return csvDownload({ context, actor, entity: 'pod', filename: 'Pods.csv', query }, columns, {
    rows,
    order: toListOrder(podOrders, query.sort, '-createdAt'),
  })
}
