import { defineList } from '#web/components/record-list/define-list.ts'
import { choiceParam, choiceParamOr, pageParam, textParam } from '#web/lib/url-state.ts'

export const locationList = defineList(
  'locations',
  {
    page: pageParam(),
    search: textParam(),
    status: choiceParam(['active', 'blocked', 'deleted']),
    sort: choiceParamOr(['name', 'city', '-createdAt'], 'name'),
  },
  // Closures begin and end.
  { nouns: ['location', 'locations'], entity: 'location', pageSize: 6, isTimed: () => true },
)
