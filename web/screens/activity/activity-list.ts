import { auditEntityNames } from '#contract/audit-entities.ts'
import type { AuditAction } from '#contract/audit.ts'
import { actionLabels } from '#web/components/history/change-labels.ts'
import { defineList } from '#web/components/record-list/define-list.ts'
import { choiceParam, choiceParamOr, dayParam, pageParam, textParam } from '#web/lib/url-state.ts'

export const activityList = defineList(
  'audit',
  {
    page: pageParam(),
    actor: textParam(),
    // The keys of `actionLabels`
    entity: choiceParam(auditEntityNames),
    action: choiceParam(Object.keys(actionLabels) as AuditAction[]),
    from: dayParam(),
    to: dayParam(),
    sort: choiceParamOr(['-at', 'at'], '-at'),
  },
  { nouns: ['change', 'changes'], entity: undefined, pageSize: 20 },
)
