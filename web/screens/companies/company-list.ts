import { defineList } from '#web/components/record-list/define-list.ts'
import { choiceParam, choiceParamOr, pageParam, textParam } from '#web/lib/url-state.ts'

export const companyList = defineList(
  'companies',
  {
    page: pageParam(),
    search: textParam(),
    status: choiceParam(['deleted']),
    sort: choiceParamOr(['-createdAt', 'name', '-name'], '-createdAt'),
  },
  { nouns: ['company', 'companies'], entity: 'company', pageSize: 10 },
)
