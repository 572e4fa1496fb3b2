import { pageCodes } from '#contract/pages.ts'
import { defineList } from '#web/components/record-list/define-list.ts'
import { choiceParam, choiceParamOr, pageParam, textParam } from '#web/lib/url-state.ts'

export const staffList = defineList(
  'staff',
  {
    page: pageParam(),
    search: textParam(),
    secondFactor: choiceParam(['yes', 'no']),
    location: textParam(),
    status: choiceParam(['active', 'blocked', 'deleted']),
    access: choiceParam(pageCodes.map(String)),
    level: choiceParam(['view', 'edit']),
    sort: choiceParamOr(['-createdAt', 'name', '-name', 'email', '-email'], '-createdAt'),
  },
  { nouns: ['staff member', 'staff members'], entity: 'staff', pageSize: 10 },
)
