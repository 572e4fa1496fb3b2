import type { FailedJob } from '#contract/failed-jobs.ts'
import { defineList } from '#web/components/record-list/define-list.ts'
import { ListFilters } from '#web/components/record-list/list-filters.tsx'
import { timeColumn } from '#web/components/record-list/record-columns.tsx'
import { RecordTable } from '#web/components/record-list/record-table.tsx'
import { useRecordList } from '#web/components/record-list/use-record-list.ts'
import { choiceParamOr, pageParam, textParam } from '#web/lib/url-state.ts'
import type { Column } from '#web/ui/data-table/data-table-columns.ts'
import { LastBackup } from './last-backup.tsx'
import { toRetryAction, useRetry } from './use-retry.tsx'

const failedJobList = defineList(
  'failedJobs',
  { page: pageParam(), search: textParam(), sort: choiceParamOr(['-failedAt', 'failedAt'], '-failedAt') },
  { nouns: ['failure', 'failures'], entity: undefined, pageSize: 10 },
)

const columns: readonly Column<FailedJob>[] = [
  { key: 'title', header: 'What', minWidth: 180, wraps: true, text: (job) => job.title, phone: 'title' },
  { key: 'error', header: 'Why it failed', minWidth: 240, wraps: true, text: (job) => job.lastError },
  { key: 'tries', header: 'Tries', width: 80, align: 'end', text: (job) => String(job.tries) },
  timeColumn<FailedJob>('failedAt', 'Given up', (job) => job.failedAt),
]

/** Jobs that the server has given up after the last try (rules §21.3). */
export function FailedWork() {
  const list = useRecordList(failedJobList)
  const retry = useRetry('failedJobs')
  return (
    <>
      <LastBackup />
      <ListFilters state={list.state} label="Search failed work" placeholder="Search by what failed, or why" />
      <RecordTable
        list={list}
        label="Failed work"
        columns={columns}
        rowName={(job) => job.title}
        rowActions={(job) => [toRetryAction('Try again', job._id, retry)]}
        noMatch="No failed work matches."
        noneYet="Nothing has failed. Work that the server gives up on after ten tries appears here."
      />
    </>
  )
}
