import { sql } from 'kysely'
import type { companyEndpoints } from '#contract/companies.ts'
import { chooseSearch } from '#server/db/lists/define-list.ts'
import { toListOrder } from '#server/db/lists/pagination.ts'
import { toCsvText } from '#server/http/csv.ts'
import type { Handler } from '#server/http/handler.ts'
import type { CsvColumns } from '../exports/csv-batches.ts'
import { csvDownload } from '../exports/csv-download.ts'
import { orNotAvailable } from '../exports/formatters.ts'
import { columns, filterCompanies, orders } from './companies.repository.ts'

const csvColumns: CsvColumns = {
  'Company Id': sql`page.id`,
  Company: toCsvText(sql`page.name`),
  'Contact Name': orNotAvailable(toCsvText(sql`page.contact_name`)),
  Email: orNotAvailable(toCsvText(sql`page.email`)),
  Phone: orNotAvailable(toCsvText(sql`page.phone`)),
  'VAT Number': orNotAvailable(toCsvText(sql`page.vat_number`)),
  'Billing Address': orNotAvailable(toCsvText(sql`page.billing_address`)),
  'Cost Centre': orNotAvailable(toCsvText(sql`page.cost_centre`)),
}

export const exportCompanies: Handler<typeof companyEndpoints.export> = async ({ context, actor, query }) => {
  const { db } = context
  const search = await chooseSearch(db, 'companies', query.search)
  const rows = filterCompanies(db.selectFrom('companies'), query, search).select(columns)
  return csvDownload({ context, actor, entity: 'company', filename: 'Companies.csv', query }, csvColumns, {
    rows,
    order: toListOrder(orders, query.sort, '-createdAt'),
  })
}
