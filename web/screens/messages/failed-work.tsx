import type { FailedJob } from '#contract/failed-jobs.ts'
import { ReadMail } from '#web/components/read-mail.tsx'
import { defineList } from '#web/components/record-list/define-list.ts'
import { ListFilters } from '#web/components/record-list/list-filters.tsx'
import { timeColumn } from '#web/components/record-list/record-columns.tsx'
import { RecordTable } from '#web/components/record-list/record-table.tsx'
import { useRecordList } from '#web/components/record-list/use-record-list.ts'
import { choiceParamOr, pageParam, textParam } from '#web/lib/url-state.ts'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconEye } from '#web/ui/icons/icons.tsx'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'
import { AllFailedWork } from './all-failed-work.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { LastBackup } from './last-backup.tsx'
import { toDismissAction, toRetryAction, useDismiss, useRetry } from './use-retry.tsx'

const failedJobList = defineList(
  'failedJobs',
  { page: pageParam(), search: textParam(), sort: choiceParamOr(['-failedAt', 'failedAt'], '-failedAt') },
  { nouns: ['failure', 'failures'], entity: undefined, pageSize: 10 },
)

const columns: readonly Column<FailedJob>[] = [
  {
    key: 'title',
    header: 'What',
    minWidth: 220,
    text: toName,
    render: (job) => <TwoLines first={job.title} second={toSubject(job)} />,
    phone: 'title',
  },
  { key: 'error', header: 'Why it failed', minWidth: 240, wraps: true, text: (job) => job.lastError },
  { key: 'tries', header: 'Tries', width: 80, align: 'end', text: (job) => String(job.tries) },
  timeColumn<FailedJob>('failedAt', 'Given up', (job) => job.failedAt),
]

/** Jobs that the server has given up after the last try (rules §21.3). */
export function FailedWork() {
  const list = useRecordList(failedJobList)
  const retry = useRetry('failedJobs')
  const dismiss = useDismiss()
  const opened = useDialogs<FailedJob>()

  const rowActions = (job: FailedJob): RowAction[] => [
    {
      label: job.mail ? 'Read' : 'Details',
      icon: <IconEye />,
      hidden: !job.mail && !job.delivery,
      onSelect: () => opened.show(job),
    },
    toRetryAction('Try again', job._id, retry),
    toDismissAction(job._id, dismiss),
  ]

  return (
    <>
      <LastBackup />
      <AllFailedWork count={list.total.count ?? 0} search={list.state.values.search} />
      <ListFilters state={list.state} label="Search failed work" placeholder="Search by what failed, or why" />
      <RecordTable
        list={list}
        label="Failed work"
        columns={columns}
        rowName={toName}
        rowActions={rowActions}
        noMatch="No failed work matches."
        noneYet="Nothing has failed. Work that the server gives up on after ten tries appears here."
      />
      <DialogOutlet dialogs={opened}>
        {({ mail, delivery }) =>
          mail ? (
            <ReadMail id={mail._id} onClose={opened.close} />
          ) : (
            delivery && <DeliveryDialog delivery={delivery} onClose={opened.close} />
          )
        }
      </DialogOutlet>
    </>
  )
}

function toName(job: FailedJob): string {
  return [job.title, toSubject(job)].filter(Boolean).join(': ')
}

/** Returns whom and what it is about, or '' if no more is known than its title. */
function toSubject({ mail, delivery }: FailedJob): string {
  if (mail) return `${mail.toName || mail.toEmail}: ${mail.subject}`
  return delivery ? `${delivery.event}, to ${delivery.url}` : ''
}
