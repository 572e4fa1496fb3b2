import { mailKinds, mailStates } from '#contract/mail-states.ts'
import type { Mail } from '#contract/mails.ts'
import { CustomerLink } from '#web/components/customer-link.tsx'
import { mailKindLabels, stateLabels, stateTones } from '#web/components/mail-words.ts'
import { ReadMail } from '#web/components/read-mail.tsx'
import { defineList } from '#web/components/record-list/define-list.ts'
import { ChoiceFilter, ListFilters, toChoices } from '#web/components/record-list/list-filters.tsx'
import { statusColumn, timeColumn } from '#web/components/record-list/record-columns.tsx'
import { RecordTable } from '#web/components/record-list/record-table.tsx'
import { useRecordList } from '#web/components/record-list/use-record-list.ts'
import { choiceParam, choiceParamOr, pageParam, textParam } from '#web/lib/url-state.ts'
import type { Column } from '#web/ui/data-table/data-table-columns.ts'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconEye } from '#web/ui/icons/icons.tsx'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'
import { toRetryAction, useRetry } from './use-retry.tsx'

const mailList = defineList(
  'mails',
  {
    page: pageParam(),
    search: textParam(),
    state: choiceParam(mailStates),
    kind: choiceParam(mailKinds),
    sort: choiceParamOr(['-createdAt', 'createdAt'], '-createdAt'),
  },
  { nouns: ['mail', 'mails'], entity: 'mail', pageSize: 10 },
)

const columns: readonly Column<Mail>[] = [
  { key: 'subject', header: 'Subject', minWidth: 220, wraps: true, text: (mail) => mail.subject, phone: 'title' },
  {
    key: 'to',
    header: 'To',
    minWidth: 180,
    text: (mail) => `${mail.toName} ${mail.toEmail}`,
    render: (mail) => (
      <TwoLines first={<CustomerLink id={mail.customerId}>{mail.toName}</CustomerLink>} second={mail.toEmail} />
    ),
  },
  { key: 'kind', header: 'Kind', width: 130, text: (mail) => mailKindLabels[mail.kind], hideOnPhone: true },
  statusColumn<Mail>({
    width: 110,
    tone: ({ state }) => stateTones[state],
    words: ({ state }) => stateLabels[state],
  }),
  timeColumn<Mail>('createdAt', 'Written', (mail) => mail.createdAt),
]

const stateOptions = toChoices('All statuses', stateLabels)
const kindOptions = toChoices('All kinds', mailKindLabels)

/** All mails that the server has created, sent or not. */
export function Mails() {
  const list = useRecordList(mailList)
  const retry = useRetry('mails')
  const dialogs = useDialogs<Mail>()

  return (
    <>
      <ListFilters state={list.state} label="Search mails" placeholder="Search by subject or whom it goes to" clearable>
        <ChoiceFilter state={list.state} name="state" label="Status" options={stateOptions} />
        <ChoiceFilter state={list.state} name="kind" label="Kind" options={kindOptions} />
      </ListFilters>
      <RecordTable
        list={list}
        label="Mails"
        columns={columns}
        rowName={(mail) => `${mail.subject} to ${mail.toName}`}
        rowActions={(mail) => [
          toReadAction(() => dialogs.show(mail)),
          { ...toRetryAction('Send again', mail._id, retry), unavailable: toReason(mail) },
        ]}
        noMatch="No mail matches these filters."
        noneYet="Mails appear here as soon as one is written, such as the invitation of a new colleague."
      />
      <DialogOutlet dialogs={dialogs}>{(mail) => <ReadMail id={mail._id} onClose={dialogs.close} />}</DialogOutlet>
    </>
  )
}

const toReadAction = (onSelect: () => void) => ({ label: 'Read', icon: <IconEye />, onSelect })

function toReason({ state, tries }: Mail): string | undefined {
  if (state === 'sent') return 'It was sent'
  if (state === 'outdated') return 'Its booking or address has changed since, or a newer mail replaces it'
  return state === 'queued' && tries === 0 ? 'It is on its way' : undefined
}
