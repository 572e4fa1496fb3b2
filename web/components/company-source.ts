import type { Company } from '#contract/companies.ts'
import { api } from '#web/api/client.ts'
import { toCompanyOption } from './booked-for/booked-for.ts'
import type { RecordSource } from './record-filter.tsx'

export const companySource: RecordSource<Company> = {
  domain: 'companies',
  list: (page, signal) => api('companies', 'list', { query: { ...page, sort: 'name' }, signal }),
  get: (id, signal) => api('companies', 'get', { params: { id }, signal }),
  toOption: toCompanyOption,
}
