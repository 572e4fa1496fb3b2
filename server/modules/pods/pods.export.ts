import { sql } from 'kysely'
import type { podEndpoints } from '#contract/pods.ts'
import { toListOrder } from '#server/db/ordered-list.ts'
import { toCsvNumber, toCsvText } from '#server/http/csv.ts'
import type { Handler } from '#server/http/handler.ts'
import type { CsvColumns } from '../exports/csv-batches.ts'
import { csvDownload } from '../exports/csv-download.ts'
import { toStatusWord } from '../exports/csv-words.ts'
import { chooseSearch } from '../search/read-searched.ts'
import { filterPods } from './pods.filter.ts'
import { podOrders } from './pods.repository.ts'

// As the table of the screen (rules §13.3), without its images
const columns: CsvColumns = {
  'Pod Id': sql`page.id`,
  Title: toCsvText(sql`page.title`),
  Location: toCsvText(sql`page.location_name`),
  City: toCsvText(sql`page.city`),
  State: toCsvText(sql`page.state`),
  'Rate per Minute': toCsvNumber(sql`page.rate`),
  Status: toStatusWord(sql`page.is_blocked`),
  Capacity: toCsvNumber(sql`page.capacity`),
}

export const exportPods: Handler<typeof podEndpoints.export> = async ({ context, query }) => {
  const { db } = context
  const pods = db.selectFrom('pods').innerJoin('locations', 'locations.id', 'pods.location_id')
  const rows = filterPods(pods, query, await chooseSearch(db, 'pods', query.search)).select([
    'pods.id',
    'pods.title',
    'locations.name as location_name',
    'locations.city',
    'locations.state',
    'pods.rate',
    'pods.is_blocked',
    'pods.capacity',
  ])
  return csvDownload(context, 'Pods.csv', columns, { rows, order: toListOrder(podOrders, query.sort, '-createdAt') })
}
