import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Staff } from '#contract/staff.ts'
import { findColleagueProblem } from '#contract/staff-rules.ts'
import { api } from '#web/api/client.ts'
import { apiQuery } from '#web/api/query.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyPage } from '#web/components/empty-page.tsx'
import { toListCount, useNarrowed } from '#web/components/list-count.ts'
import { startDownload } from '#web/components/start-download.ts'
import { UpcomingBookings } from '#web/components/upcoming-bookings.tsx'
import { useBlockToggle } from '#web/components/use-block-toggle.tsx'
import { usePagedRows } from '#web/lib/paged-rows.ts'
import { choiceParam, choiceParamOr, pageParam, textParam, useUrlState } from '#web/lib/url-state.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { FilterBar } from '#web/ui/filter-bar/filter-bar.tsx'
import { IconDownload, IconPencil, IconPlus, IconTrash } from '#web/ui/icons/icons.tsx'
import { MenuButton } from '#web/ui/menu/menu.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Pager } from '#web/ui/pager/pager.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { SimilarNote } from '#web/ui/similar-note/similar-note.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { showSuccess } from '#web/ui/toasts/toasts.ts'
import { StaffForm } from './staff-form.tsx'

const PAGE_SIZE = 10

const params = {
  page: pageParam(),
  search: textParam(),
  status: choiceParam(['active', 'blocked']),
  sort: choiceParamOr(['-createdAt', 'name', '-name', 'email', '-email'], '-createdAt'),
}

const columns: readonly Column<Staff>[] = [
  { key: 'id', header: 'User Id', width: 112, render: (staff) => <CopyId id={staff._id} />, hideOnPhone: true },
  { key: 'email', header: 'Email', minWidth: 170, wraps: true, text: (staff) => staff.email || 'N/A', sortable: true },
  { key: 'role', header: 'Role', width: 124, wraps: true, text: (staff) => staff.role || 'N/A' },
  { key: 'name', header: 'Full Name', minWidth: 170, wraps: true, text: toFullName, sortable: true, phone: 'title' },
  { key: 'phone', header: 'phoneNumber', width: 146, text: (staff) => staff.phoneNumber || 'N/A', hideOnPhone: true },
  {
    key: 'status',
    header: 'Status',
    width: 116,
    render: (staff) =>
      staff.isBlocked ? <StatusChip tone="red">Inactive</StatusChip> : <StatusChip tone="green">Active</StatusChip>,
    phone: 'aside',
  },
]

const statusOptions = [
  { value: '', label: 'All statuses' },
  { value: 'active', label: 'Active' },
  { value: 'blocked', label: 'Inactive' },
]

type DialogState = { kind: 'add' } | { kind: 'edit' | 'delete'; staff: Staff }

/** Page 8 (rules §9.4). */
export function StaffScreen() {
  const [{ page, search, status, sort }, setUrl] = useUrlState(params)
  const filters = { search, status, sort }
  const staffList = useQuery({
    ...apiQuery('staff', 'list', { query: { ...filters, page, limit: PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  })
  const rows = usePagedRows(
    staffList,
    { rows: staffList.data?.data, page, pageSize: PAGE_SIZE, total: staffList.data?.total },
    setUrl,
  )
  const held = useSession()?.pages ?? []
  const queryClient = useQueryClient()
  const reload = () => queryClient.invalidateQueries({ queryKey: ['staff'] })
  const dialogs = useDialogs<DialogState>()
  const { toBlockAction } = useBlockToggle('staff')

  async function deleteStaff(staff: Staff) {
    await api('staff', 'delete', { params: { id: staff._id } })
    showSuccess('User deleted successfully')
    await reload()
  }

  const rowActions = (staff: Staff): RowAction[] => {
    const unavailable = findColleagueProblem(staff, held)
    return [
      { ...toBlockAction(staff), unavailable },
      { label: 'Edit', icon: <IconPencil />, unavailable, onSelect: () => dialogs.show({ kind: 'edit', staff }) },
      {
        label: 'Delete',
        icon: <IconTrash />,
        danger: true,
        unavailable,
        onSelect: () => dialogs.show({ kind: 'delete', staff }),
      },
    ]
  }
  const isFiltered = search !== '' || status !== undefined
  const narrowed = useNarrowed('staff', isFiltered)
  const total = staffList.data?.total
  const addStaff = () => dialogs.show({ kind: 'add' })

  return (
    <>
      <PageHeader
        title="Assign a role"
        count={toListCount(
          'All Members',
          narrowed ? { count: narrowed.all, isAtLeast: false } : { count: total, isAtLeast: false },
        )}
        onShowAll={() => setUrl({ search: '', status: undefined })}
        found={narrowed && toListCount('All Members', { count: total, isAtLeast: false }, narrowed)}
        secondaryActions={
          <MenuButton
            icon={<IconDownload size={16} />}
            items={[
              {
                label: 'Bookings made by staff (User_Bookings_Report.csv)',
                onSelect: () => void startDownload('staff', 'exportBookings', { query: filters }),
              },
              {
                label: 'List of staff (Staff.csv)',
                onSelect: () => void startDownload('staff', 'export', { query: filters }),
              },
            ]}
          >
            Download All
          </MenuButton>
        }
        action={
          <Button variant="primary" icon={<IconPlus size={16} />} onClick={addStaff}>
            Add Staff
          </Button>
        }
      />
      <FilterBar
        search={{
          label: 'Search staff',
          placeholder: 'Search by name, email or role',
          value: search,
          onChange: (text) => setUrl({ search: text }, { replace: true }),
        }}
        setCount={status ? 1 : 0}
      >
        <NativeSelect
          label="Status"
          hideLabel
          value={status ?? ''}
          options={statusOptions}
          onChange={(value) => setUrl({ status: params.status.parse(value) })}
        />
      </FilterBar>
      <SimilarNote search={staffList.data?.alike} />
      <DataTable
        label="Staff"
        columns={columns}
        rows={rows}
        rowKey={(staff) => staff._id}
        rowName={toFullName}
        rowActions={rowActions}
        skeletonRows={PAGE_SIZE}
        busy={staffList.isFetching}
        sort={{ key: sort.replace('-', ''), direction: sort.startsWith('-') ? 'desc' : 'asc' }}
        onSort={({ key, direction }) => setUrl({ sort: params.sort.parse(direction === 'desc' ? `-${key}` : key) })}
        problem={staffList.error && toProblem(staffList.error)}
        onRetry={() => void staffList.refetch()}
        empty={
          page > 1 ? (
            <EmptyPage onFirstPage={() => setUrl({ page: 1 })} />
          ) : (
            <EmptyState>
              {isFiltered ? 'No staff member matches. Try other words or another status.' : 'Colleagues appear here.'}
            </EmptyState>
          )
        }
      />
      <Pager
        label="Staff pages"
        page={page}
        pageSize={PAGE_SIZE}
        total={total}
        onPage={(next) => setUrl({ page: next })}
      />
      <DialogOutlet dialogs={dialogs}>
        {(dialog) => (
          <>
            {dialog.kind === 'add' && <StaffForm onClose={dialogs.close} />}
            {dialog.kind === 'edit' && <StaffForm staff={dialog.staff} onClose={dialogs.close} />}
            {dialog.kind === 'delete' && (
              <ConfirmDialog
                title="Delete user"
                danger
                confirmLabel="Delete"
                consequence={
                  <>
                    {toFullName(dialog.staff)} is signed out at once and loses access. Bookings they made keep their
                    name. <UpcomingBookings owners="staff" id={dialog.staff._id} />
                  </>
                }
                onConfirm={() => deleteStaff(dialog.staff)}
                onClose={dialogs.close}
              >
                Are you sure you want to delete this user?
              </ConfirmDialog>
            )}
          </>
        )}
      </DialogOutlet>
    </>
  )
}

function toFullName(staff: Staff): string {
  return `${staff.firstname} ${staff.lastname}`.trim()
}
