import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Pod } from '#contract/pods.ts'
import { api } from '#web/api/client.ts'
import { apiQuery } from '#web/api/query.ts'
import { EmptyPage } from '#web/components/empty-page.tsx'
import { toListCount, useNarrowed } from '#web/components/list-count.ts'
import { startDownload } from '#web/components/start-download.ts'
import { UpcomingBookings } from '#web/components/upcoming-bookings.tsx'
import { useBlockToggle } from '#web/components/use-block-toggle.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { usePagedRows } from '#web/lib/paged-rows.ts'
import { choiceParam, choiceParamOr, pageParam, textParam, useUrlState } from '#web/lib/url-state.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import type { RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconDownload, IconPencil, IconPlus, IconTrash } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Pager } from '#web/ui/pager/pager.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { SimilarNote } from '#web/ui/similar-note/similar-note.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { showSuccess } from '#web/ui/toasts/toasts.ts'
import { podColumns } from './pod-columns.tsx'
import { PodFilters } from './pod-filters.tsx'
import { PodForm } from './pod-form.tsx'
import { podSorts } from './pod-sorts.ts'

const PAGE_SIZE = 10

const params = {
  page: pageParam(),
  search: textParam(),
  status: choiceParam(['active', 'blocked']),
  location: textParam(),
  sort: choiceParamOr(podSorts, '-createdAt'),
}

type DialogState = { kind: 'create' } | { kind: 'edit' | 'delete'; pod: Pod }

/** Page 3 (rules §5.8). */
export function PodsScreen() {
  useDocumentTitle('Pods')
  const [{ page, ...filters }, setUrl] = useUrlState(params)
  const { sort, ...narrowing } = filters
  const isFiltered = Object.values(narrowing).some(Boolean)
  const pods = useQuery({
    ...apiQuery('pods', 'list', { query: { ...filters, page, limit: PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  })
  const rows = usePagedRows(pods, { rows: pods.data?.data, page, pageSize: PAGE_SIZE, total: pods.data?.total }, setUrl)
  const total = { count: pods.data?.total, isAtLeast: false }
  const narrowed = useNarrowed('pods', isFiltered)
  const queryClient = useQueryClient()
  const reload = () => queryClient.invalidateQueries({ queryKey: ['pods'] })
  const dialogs = useDialogs<DialogState>()
  const { toBlockAction } = useBlockToggle('pods')

  async function deletePod(pod: Pod) {
    await api('pods', 'delete', { params: { id: pod._id } })
    showSuccess('Pod deleted successfully')
    await reload()
  }

  const rowActions = (pod: Pod): RowAction[] => [
    toBlockAction(pod),
    { label: 'Edit', icon: <IconPencil />, onSelect: () => dialogs.show({ kind: 'edit', pod }) },
    { label: 'Delete', icon: <IconTrash />, danger: true, onSelect: () => dialogs.show({ kind: 'delete', pod }) },
  ]
  const createButton = (
    <Button variant="primary" icon={<IconPlus size={16} />} onClick={() => dialogs.show({ kind: 'create' })}>
      Create Pods
    </Button>
  )

  return (
    <>
      <PageHeader
        title={(!isFiltered && toListCount('All Pods', total)) || 'All Pods'}
        count={isFiltered ? toListCount('All Pods', total, narrowed) : undefined}
        action={createButton}
        secondaryActions={
          <Button
            icon={<IconDownload size={16} />}
            onClick={() => void startDownload('pods', 'export', { query: filters })}
          >
            All Downloads
          </Button>
        }
      />
      <PodFilters values={filters} onChange={setUrl} />
      <SimilarNote search={pods.data?.alike} />
      <DataTable
        label="Pods"
        columns={podColumns}
        rows={rows}
        rowKey={(pod) => pod._id}
        rowName={(pod) => pod.title}
        rowActions={rowActions}
        skeletonRows={PAGE_SIZE}
        busy={pods.isFetching}
        sort={{ key: sort.replace('-', ''), direction: sort.startsWith('-') ? 'desc' : 'asc' }}
        onSort={({ key, direction }) => setUrl({ sort: params.sort.parse(direction === 'desc' ? `-${key}` : key) })}
        problem={pods.error && toProblem(pods.error)}
        onRetry={() => void pods.refetch()}
        empty={
          page > 1 ? (
            <EmptyPage onFirstPage={() => setUrl({ page: 1 })} />
          ) : isFiltered ? (
            <EmptyState
              action={
                <Button onClick={() => setUrl({ search: '', status: undefined, location: '' })}>Clear filters</Button>
              }
            >
              No pod matches these filters.
            </EmptyState>
          ) : (
            <EmptyState action={createButton}>Pods that can be booked will stand here.</EmptyState>
          )
        }
      />
      <Pager
        label="Pods pages"
        page={page}
        pageSize={PAGE_SIZE}
        total={pods.data?.total}
        onPage={(next) => setUrl({ page: next })}
      />
      <DialogOutlet dialogs={dialogs}>
        {(dialog) => (
          <>
            {dialog.kind === 'create' && <PodForm onClose={dialogs.close} />}
            {dialog.kind === 'edit' && <PodForm pod={dialog.pod} onClose={dialogs.close} />}
            {dialog.kind === 'delete' && (
              <ConfirmDialog
                title="Delete pod"
                danger
                confirmLabel="Delete"
                consequence={
                  <>
                    It leaves every list and can no longer be booked. Bookings and transactions that it already has
                    stay, and keep its name. <UpcomingBookings owners="pods" id={dialog.pod._id} />
                  </>
                }
                onConfirm={() => deletePod(dialog.pod)}
                onClose={dialogs.close}
              >
                Are you sure you want to delete {dialog.pod.title}?
              </ConfirmDialog>
            )}
          </>
        )}
      </DialogOutlet>
    </>
  )
}
