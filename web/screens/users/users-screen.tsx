import { useQueryClient } from '@tanstack/react-query'
import type { User } from '#contract/users.ts'
import { api } from '#web/api/client.ts'
import { useList } from '#web/api/use-list.ts'
import { EmptyPage } from '#web/components/empty-page.tsx'
import { toListCount, useNarrowed } from '#web/components/list-count.ts'
import { startDownload } from '#web/components/start-download.ts'
import { UpcomingBookings } from '#web/components/upcoming-bookings.tsx'
import { useBlockToggle } from '#web/components/use-block-toggle.tsx'
import { usePagedRows } from '#web/lib/paged-rows.ts'
import { choiceParam, choiceParamOr, pageParam, textParam, useUrlState } from '#web/lib/url-state.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { FilterBar } from '#web/ui/filter-bar/filter-bar.tsx'
import { IconDownload, IconTrash } from '#web/ui/icons/icons.tsx'
import { MenuButton } from '#web/ui/menu/menu.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Pager } from '#web/ui/pager/pager.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { SimilarNote } from '#web/ui/similar-note/similar-note.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { showSuccess } from '#web/ui/toasts/toasts.ts'

const PAGE_SIZE = 10

const params = {
  page: pageParam(),
  search: textParam(),
  status: choiceParam(['active', 'blocked']),
  sort: choiceParamOr(['-createdAt', 'name', '-name', 'email', '-email'], '-createdAt'),
}

const columns: readonly Column<User>[] = [
  { key: 'id', header: 'User Id', width: 112, render: (user) => <CopyId id={user._id} />, hideOnPhone: true },
  { key: 'email', header: 'Email', minWidth: 180, wraps: true, text: (user) => user.email, sortable: true },
  { key: 'role', header: 'Role', width: 96, wraps: true, text: (user) => user.role, hideOnPhone: true },
  { key: 'name', header: 'Full Name', minWidth: 160, wraps: true, text: toFullName, sortable: true, phone: 'title' },
  { key: 'mobile', header: 'Mobile', width: 148, text: (user) => user.mobile || 'N/A' },
  {
    key: 'status',
    header: 'Status',
    width: 116,
    render: (user) => (
      <StatusChip tone={user.isBlocked ? 'red' : 'green'}>{user.isBlocked ? 'Inactive' : 'active'}</StatusChip>
    ),
    phone: 'aside',
  },
]

const statusOptions = [
  { value: '', label: 'All statuses' },
  { value: 'active', label: 'Active' },
  { value: 'blocked', label: 'Inactive' },
]

type DialogState = { kind: 'delete'; user: User }

/** Page 5 (rules §8.3). */
export function UsersScreen() {
  const [{ page, search, status, sort }, setUrl] = useUrlState(params)
  const filters = { search, status, sort }
  const { list: users, total } = useList('users', { ...filters, page, limit: PAGE_SIZE })
  const rows = usePagedRows(users, { rows: users.data?.data, page, pageSize: PAGE_SIZE, total: total.count }, setUrl)
  const queryClient = useQueryClient()
  const reload = () => queryClient.invalidateQueries({ queryKey: ['users'] })
  const dialogs = useDialogs<DialogState>()
  const { toBlockAction } = useBlockToggle('users')

  async function deleteUser(user: User) {
    await api('users', 'delete', { params: { id: user._id } })
    showSuccess('User deleted successfully')
    await reload()
  }

  const rowActions = (user: User): RowAction[] => [
    toBlockAction(user),
    { label: 'Delete', icon: <IconTrash />, danger: true, onSelect: () => dialogs.show({ kind: 'delete', user }) },
  ]
  const isFiltered = search !== '' || status !== undefined
  const narrowed = useNarrowed('users', isFiltered)

  return (
    <>
      <PageHeader
        title="User Details"
        count={toListCount('All Users', total, narrowed)}
        secondaryActions={
          <MenuButton
            icon={<IconDownload size={16} />}
            items={[
              {
                label: 'Bookings of users (User_Bookings_Report.csv)',
                onSelect: () => void startDownload('users', 'exportBookings', { query: filters }),
              },
              {
                label: 'List of users (Users.csv)',
                onSelect: () => void startDownload('users', 'export', { query: filters }),
              },
            ]}
          >
            Download
          </MenuButton>
        }
      />
      <FilterBar
        search={{
          label: 'Search users',
          placeholder: 'Search by name, email or number',
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
      <SimilarNote search={users.data?.alike} />
      <DataTable
        label="Users"
        columns={columns}
        rows={rows}
        rowKey={(user) => user._id}
        rowName={toFullName}
        rowActions={rowActions}
        skeletonRows={PAGE_SIZE}
        busy={users.isFetching}
        sort={{ key: sort.replace('-', ''), direction: sort.startsWith('-') ? 'desc' : 'asc' }}
        onSort={({ key, direction }) => setUrl({ sort: params.sort.parse(direction === 'desc' ? `-${key}` : key) })}
        problem={users.error && toProblem(users.error)}
        onRetry={() => void users.refetch()}
        empty={
          page > 1 ? (
            <EmptyPage onFirstPage={() => setUrl({ page: 1 })} />
          ) : (
            <EmptyState>
              {isFiltered
                ? 'No user matches. Try other words or another status.'
                : 'Customers appear here once they sign up.'}
            </EmptyState>
          )
        }
      />
      <Pager
        label="Users pages"
        page={page}
        pageSize={PAGE_SIZE}
        total={total.count}
        isAtLeast={total.isAtLeast}
        shown={users.data?.data.length}
        onPage={(next) => setUrl({ page: next })}
      />
      <DialogOutlet dialogs={dialogs}>
        {(dialog) => (
          <>
            {dialog.kind === 'delete' && (
              <ConfirmDialog
                title="Delete user"
                danger
                confirmLabel="Delete"
                consequence={
                  <>
                    The user can no longer sign in and is gone from all lists. Past bookings and transactions keep the
                    name. <UpcomingBookings owners="users" id={dialog.user._id} />
                  </>
                }
                onConfirm={() => deleteUser(dialog.user)}
                onClose={dialogs.close}
              >
                Are you sure you want to delete {toFullName(dialog.user)}?
              </ConfirmDialog>
            )}
          </>
        )}
      </DialogOutlet>
    </>
  )
}

function toFullName(user: User): string {
  return `${user.firstname} ${user.lastname}`.trim() || user.username
}
