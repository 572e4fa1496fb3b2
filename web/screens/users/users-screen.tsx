import { toFullName } from '#contract/full-name.ts'
import type { User } from '#contract/users.ts'
import { useMay } from '#web/api/may.ts'
import { useSession } from '#web/api/session.ts'
import { DeleteCustomer } from '#web/components/delete-customer.tsx'
import { RecordLink } from '#web/components/record-link.tsx'
import { toListCount } from '#web/components/record-list/list-count.ts'
import { BlockedFilter, ListFilters, toNoDeletedText } from '#web/components/record-list/list-filters.tsx'
import { blockedColumn, idColumn, toDeletedColumns } from '#web/components/record-list/record-columns.tsx'
import { RecordDialogs, useRecordDialogs } from '#web/components/record-list/record-dialogs.tsx'
import { RecordTable } from '#web/components/record-list/record-table.tsx'
import { useBlockToggle } from '#web/components/record-list/use-block-toggle.tsx'
import { useRecordList } from '#web/components/record-list/use-record-list.ts'
import { customerPath } from '#web/paths.ts'
import type { Column } from '#web/ui/data-table/data-table-columns.ts'
import { IconDownload } from '#web/ui/icons/icons.tsx'
import { MenuButton } from '#web/ui/menu/menu.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { userList } from './user-list.ts'

const columns: readonly Column<User>[] = [
  idColumn('User Id'),
  { key: 'email', header: 'Email', minWidth: 180, wraps: true, text: (user) => user.email || 'N/A', sortable: true },
  { key: 'role', header: 'Role', width: 96, wraps: true, text: (user) => user.role || 'N/A', hideOnPhone: true },
  {
    key: 'name',
    header: 'Full Name',
    minWidth: 160,
    wraps: true,
    text: toCustomerName,
    render: (user) => <RecordLink href={customerPath(user._id)}>{toCustomerName(user)}</RecordLink>,
    sortable: true,
    phone: 'title',
  },
  { key: 'mobile', header: 'Mobile', width: 148, text: (user) => user.mobile || 'N/A' },
  blockedColumn('active'),
]

const deletedColumns = toDeletedColumns(columns)

/** Screen of page 5 (rules §8.3). */
export function UsersScreen() {
  const list = useRecordList(userList)
  // Both downloads require the same access.
  const mayDownload = useMay().call('users.export')
  const hasAll = !useSession()?.locations
  const { toBlockAction } = useBlockToggle('users')
  const { dialogs, toHistoryAction, toDeleteAction, toDeletedActions } = useRecordDialogs('customer', toCustomerName)
  const isDeleted = list.state.values.status === 'deleted'

  return (
    <>
      <PageHeader
        title="User Details"
        count={toListCount('All Users', list.total, list.narrowed)}
        secondaryActions={
          mayDownload && (
            <MenuButton
              icon={<IconDownload size={16} />}
              items={[
                {
                  label: 'Bookings of users (User_Bookings_Report.csv)',
                  onSelect: () => list.download('exportBookings'),
                },
                { label: 'List of users (Users.csv)', onSelect: () => list.download('export') },
              ]}
            >
              Download
            </MenuButton>
          )
        }
      />
      <ListFilters state={list.state} label="Search users" placeholder="Search by name, email or number">
        <BlockedFilter state={list.state} />
      </ListFilters>
      <RecordTable
        list={list}
        label="Users"
        columns={isDeleted ? deletedColumns : columns}
        rowName={toCustomerName}
        rowActions={(user) =>
          isDeleted
            ? toDeletedActions(user)
            : [toBlockAction(user), toHistoryAction(user), toDeleteAction(user, 'users.delete')]
        }
        noMatch={isDeleted ? toNoDeletedText('users') : 'No user matches. Try other words or another status.'}
        noneYet={
          hasAll
            ? 'Customers appear here once they sign up, or somebody books for them.'
            : 'Customers appear here once they have booked at one of your locations.'
        }
      />
      <RecordDialogs
        dialogs={dialogs}
        renderDeletion={(user, onClose) => (
          <DeleteCustomer id={user._id} name={toCustomerName(user)} onClose={onClose} />
        )}
      />
    </>
  )
}

function toCustomerName(user: User): string {
  return toFullName(user) || user.username
}
