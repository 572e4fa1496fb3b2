import { defineList } from '#web/components/record-list/define-list.ts'
import { choiceParam, choiceParamOr, pageParam, textParam } from '#web/lib/url-state.ts'

export const userList = defineList(
  'users',
  {
    page: pageParam(),
    search: textParam(),
    status: choiceParam(['active', 'blocked', 'deleted']),
    sort: choiceParamOr(['-createdAt', 'name', '-name', 'email', '-email'], '-createdAt'),
  },
  { nouns: ['user', 'users'], entity: 'customer', pageSize: 10 },
)
