import { defineList } from '#web/components/record-list/define-list.ts'
import { choiceParam, choiceParamOr, pageParam, textParam } from '#web/lib/url-state.ts'

export const closureList = defineList(
  'closures',
  {
    page: pageParam(),
    state: choiceParam(['now', 'upcoming', 'over']),
    location: textParam(),
    sort: choiceParamOr(['-starts', 'starts'], '-starts'),
  },
  // Closures begin and end.
  { nouns: ['closure', 'closures'], entity: 'closure', pageSize: 10, isTimed: () => true },
)
