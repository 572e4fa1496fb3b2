import { sql } from 'kysely'
import type { auditEndpoints } from '#contract/audit.ts'
import { toCsvText } from '#server/http/csv.ts'
import type { Handler } from '#server/http/handler.ts'
import type { CsvColumns } from '../exports/csv-batches.ts'
import { csvDownload } from '../exports/csv-download.ts'
import { actorName, filterChanges, shown, toChangeFilter, toChangeOrder } from './audit.repository.ts'

const columns: CsvColumns = {
  Id: sql`page.id`,
  'Date (UTC)': sql`to_char(page.changed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`,
  By: sql`case when page.actor_kind in ('staff', 'api-key') then ${toCsvText(sql`page.actor_name`)} else page.actor_kind end`,
  Address: toCsvText(sql`coalesce(page.address, '')`),
  Action: sql`page.action`,
  Kind: sql`page.entity`,
  'Record Id': sql`coalesce(page.entity_id::text, '')`,
  Record: toCsvText(sql`page.label`),
  Before: toCsvText(sql`coalesce(page.before::text, '')`),
  After: toCsvText(sql`coalesce(page.after::text, '')`),
  Reason: toCsvText(sql`coalesce(page.reason, '')`),
}

export const exportChanges: Handler<typeof auditEndpoints.export> = async ({ context, actor, query }) => {
  const { db, config } = context
  const rows = filterChanges(db.selectFrom('audit'), toChangeFilter(query, config.businessTimeZone))
    // Renamed because the export uses `at` for a row's position in the file.
    .select(['audit.id', 'audit.at as changed_at', 'actor_kind', 'address', 'action', 'entity', 'entity_id'])
    .select([actorName.as('actor_name'), shown.label.as('label'), shown.reason.as('reason')])
    .select([shown.before.as('before'), shown.after.as('after')])
  return csvDownload({ context, actor, entity: 'activity', filename: 'Activity.csv', query }, columns, {
    rows,
    order: toChangeOrder(query.sort),
  })
}
