import { LinkTabs } from '#web/components/link-tabs.tsx'
import { choiceParamOr, useUrlState } from '#web/lib/url-state.ts'
import { MESSAGES_PATH } from '#web/paths.ts'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { ApiKeys } from './api-keys.tsx'
import { CustomerMessages } from './customer-messages.tsx'
import { FailedWork } from './failed-work.tsx'
import { Mails } from './mails.tsx'
import { Webhooks } from './webhooks.tsx'

const lists = {
  mails: { label: 'Mails', List: Mails },
  templates: { label: 'To customers', List: CustomerMessages },
  webhooks: { label: 'Webhooks', List: Webhooks },
  keys: { label: 'API keys', List: ApiKeys },
  failed: { label: 'Failed work', List: FailedWork },
}
const names = Object.keys(lists) as (keyof typeof lists)[] // exactly the keys of `lists`

const params = { show: choiceParamOr(names, 'mails') }

/** Mails, messages to customers, webhooks, API keys and failed work (rules §21.8, §38.6). */
export function MessagesScreen() {
  const [{ show }] = useUrlState(params)
  const { List } = lists[show]
  return (
    <>
      <PageHeader
        title="Messages"
        description="What goes out from here, what became of it, and which systems call in."
      />
      <LinkTabs
        label="Messages"
        tabs={names.map((name) => ({
          href: name === 'mails' ? MESSAGES_PATH : `${MESSAGES_PATH}?show=${name}`,
          label: lists[name].label,
          isCurrent: name === show,
        }))}
      />
      <List />
    </>
  )
}
