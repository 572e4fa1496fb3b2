import { LinkTabs } from '#web/components/link-tabs.tsx'
import { choiceParamOr, useUrlState } from '#web/lib/url-state.ts'
import { MESSAGES_PATH } from '#web/paths.ts'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { CustomerMessages } from './customer-messages.tsx'
import { FailedWork } from './failed-work.tsx'
import { Mails } from './mails.tsx'
import { Webhooks } from './webhooks.tsx'

const lists = {
  mails: { label: 'Mails', List: Mails },
  templates: { label: 'To customers', List: CustomerMessages },
  webhooks: { label: 'Webhooks', List: Webhooks },
  failed: { label: 'Failed work', List: FailedWork },
}
const names = Object.keys(lists) as (keyof typeof lists)[] // the keys of a constant

const params = { show: choiceParamOr(names, 'mails') }

/** What goes out to people and other systems, and what did not (rules §21.8). */
export function MessagesScreen() {
  const [{ show }] = useUrlState(params)
  const { List } = lists[show]
  return (
    <>
      <PageHeader title="Messages" description="What goes out from here, and what became of it." />
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
