import { sql } from 'kysely'
import type { featureEndpoints } from '#contract/features.ts'
import { chooseSearch } from '#server/db/lists/define-list.ts'
import { toListOrder } from '#server/db/lists/pagination.ts'
import { toCsvText } from '#server/http/csv.ts'
import type { Handler } from '#server/http/handler.ts'
import type { CsvColumns } from '../exports/csv-batches.ts'
import { csvDownload } from '../exports/csv-download.ts'
import { recordStatus } from '../exports/formatters.ts'
import { filterFeatures, orders } from './features.repository.ts'

const columns: CsvColumns = {
  Id: sql`page.id`,
  'Full Name': toCsvText(sql`page.name`),
  Status: recordStatus,
}

export const exportFeatures: Handler<typeof featureEndpoints.export> = async ({ context, actor, query }) => {
  const { db } = context
  const rows = filterFeatures(
    db.selectFrom('features'),
    query,
    await chooseSearch(db, 'features', query.search),
  ).select(['id', 'name', 'is_blocked', 'deleted_at'])
  return csvDownload({ context, actor, entity: 'feature', filename: 'Features.csv', query }, columns, {
    rows,
    order: toListOrder(orders, query.sort, 'order'),
  })
}
