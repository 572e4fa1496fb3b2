import { toFullName } from '#contract/full-name.ts'
import { pages } from '#contract/pages.ts'
import { BLOCKED_SEES_NOTHING, findColleagueProblem } from '#contract/staff-rules.ts'
import type { Staff } from '#contract/staff.ts'
import { useMay } from '#web/api/may.ts'
import { getUserId, useSession } from '#web/api/session.ts'
import { CallButton } from '#web/components/call-button.tsx'
import { LocationFilter } from '#web/components/location-filter.tsx'
import { toAccessWords } from '#web/components/page-access-words.ts'
import { DeleteDialog } from '#web/components/record-list/delete-dialog.tsx'
import { toAllCount } from '#web/components/record-list/list-count.ts'
import {
  BlockedFilter,
  ChoiceFilter,
  ListFilters,
  toChoices,
  toNoDeletedText,
} from '#web/components/record-list/list-filters.tsx'
import { blockedColumn, idColumn, toDeletedColumns } from '#web/components/record-list/record-columns.tsx'
import { RecordDialogs, useRecordDialogs } from '#web/components/record-list/record-dialogs.tsx'
import { RecordTable } from '#web/components/record-list/record-table.tsx'
import { useBlockToggle } from '#web/components/record-list/use-block-toggle.tsx'
import { useRecordList } from '#web/components/record-list/use-record-list.ts'
import { useUrlState } from '#web/lib/url-state.ts'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconDownload, IconEye, IconKey, IconPlus, IconShieldLock } from '#web/ui/icons/icons.tsx'
import { MenuButton } from '#web/ui/menu/menu.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden/visually-hidden.tsx'
import { PasswordLink } from './password-link.tsx'
import { ResetSecondFactor } from './reset-second-factor.tsx'
import { RolePresets } from './role-presets.tsx'
import { StaffForm } from './staff-form.tsx'
import { staffList } from './staff-list.ts'
import styles from './staff-screen.module.css'
import { StaffTabs, staffTabParams } from './staff-tabs.tsx'
import { ViewAs } from './view-as.tsx'

const columns: readonly Column<Staff>[] = [
  idColumn('User Id', 106),
  { key: 'email', header: 'Email', width: 176, wraps: true, text: (staff) => staff.email || 'N/A', sortable: true },
  { key: 'role', header: 'Role', minWidth: 132, text: toRoleText, render: renderRole },
  {
    key: 'name',
    header: 'Full Name',
    minWidth: 100,
    wraps: true,
    render: NameCell,
    text: toFullName,
    sortable: true,
    phone: 'title',
  },
  { key: 'phone', header: 'phoneNumber', width: 146, text: (staff) => staff.phoneNumber || 'N/A', hideOnPhone: true },
  blockedColumn('Active', 104),
]

const pageChoices = toChoices('All pages', Object.fromEntries(pages.map(({ id, name }) => [id, name])))
const levelChoices = toChoices('View or edit', { view: 'View only', edit: 'Edit' })
const secondFactorOptions = toChoices('With or without a second factor', {
  yes: 'With a second factor',
  no: 'Without a second factor',
})

const deletedColumns = toDeletedColumns(columns)

/** Screen of page 8 (rules §9.4). */
export function StaffScreen() {
  const [{ show }] = useUrlState(staffTabParams)
  return show === 'presets' ? <RolePresets /> : <StaffMembers />
}

function StaffMembers() {
  const list = useRecordList(staffList)
  const may = useMay()
  const mayChange = may.changeRecords('staff')
  const { toBlockAction } = useBlockToggle('staff')
  const records = useRecordDialogs<Staff>('staff', toFullName)
  const { dialogs, create, toEditAction, toHistoryAction, toDeleteAction } = records
  const links = useDialogs<Staff>()
  const resets = useDialogs<Staff>()
  const views = useDialogs<Staff>()
  const ownId = getUserId(useSession())
  const isDeleted = list.state.values.status === 'deleted'

  const rowActions = (staff: Staff): RowAction[] => {
    if (isDeleted) return records.toDeletedActions(staff)
    const unavailable = findColleagueProblem(staff, may.held)
    return [
      { ...toBlockAction(staff), unavailable },
      { ...toEditAction(staff), unavailable: mayChange ? unavailable : undefined },
      {
        label: 'Password link',
        icon: <IconKey />,
        seldom: true,
        hidden: !mayChange,
        onSelect: () => links.show(staff),
        unavailable,
      },
      {
        label: 'Reset second factor',
        icon: <IconShieldLock />,
        seldom: true,
        hidden: !mayChange,
        onSelect: () => resets.show(staff),
        unavailable:
          staff._id === ownId
            ? 'Turn your own off under Your account.'
            : (unavailable ?? (staff.hasSecondFactor ? undefined : 'They have no second factor.')),
      },
      {
        label: 'View as',
        icon: <IconEye />,
        seldom: true,
        hidden: !may.call('viewAs.start'),
        onSelect: () => views.show(staff),
        unavailable:
          staff._id === ownId ? 'This is your own account.' : staff.isBlocked ? BLOCKED_SEES_NOTHING : unavailable,
      },
      toHistoryAction(staff),
      { ...toDeleteAction(staff, 'staff.delete'), unavailable },
    ]
  }

  return (
    <>
      <PageHeader
        title="Assign a role"
        {...toAllCount('All Members', list)}
        secondaryActions={
          <MenuButton
            icon={<IconDownload size={16} />}
            items={[
              {
                label: 'Bookings made by staff (User_Bookings_Report.csv)',
                onSelect: () => list.download('exportBookings'),
              },
              ...(may.call('staff.export')
                ? [{ label: 'List of staff (Staff.csv)', onSelect: () => list.download('export') }]
                : []),
            ]}
          >
            Download All
          </MenuButton>
        }
        action={
          <CallButton call="staff.create" variant="primary" icon={<IconPlus size={16} />} onClick={create}>
            Add Staff
          </CallButton>
        }
      />
      <StaffTabs shown="staff" />
      <ListFilters state={list.state} label="Search staff" placeholder="Search by name, email or role">
        <BlockedFilter state={list.state} />
        <ChoiceFilter state={list.state} name="access" label="Page access" options={pageChoices} />
        <ChoiceFilter state={list.state} name="level" label="Level" options={levelChoices} />
        <LocationFilter value={list.state.values.location} onChange={(location) => list.state.setUrl({ location })} />
        <ChoiceFilter state={list.state} name="secondFactor" label="Second factor" options={secondFactorOptions} />
      </ListFilters>
      <RecordTable
        list={list}
        label="Staff"
        columns={isDeleted ? deletedColumns : columns}
        rowName={toFullName}
        rowActions={rowActions}
        noMatch={isDeleted ? toNoDeletedText('staff') : 'No staff member matches. Try other words or filters.'}
        noneYet="Colleagues appear here."
      />
      <RecordDialogs
        dialogs={dialogs}
        renderForm={(staff, onClose) => <StaffForm staff={staff} onLinkNeeded={links.show} onClose={onClose} />}
        renderDeletion={(staff, onClose) => (
          <DeleteDialog
            domain="staff"
            id={staff._id}
            title="Delete user"
            consequence={`${toFullName(staff)} is signed out at once and loses access. Bookings they made keep their name.`}
            onClose={onClose}
          >
            Are you sure you want to delete this user?
          </DeleteDialog>
        )}
      />
      <DialogOutlet dialogs={resets}>
        {(staff) => <ResetSecondFactor staff={staff} onClose={resets.close} />}
      </DialogOutlet>
      <DialogOutlet dialogs={views}>{(staff) => <ViewAs staff={staff} onClose={views.close} />}</DialogOutlet>
      <DialogOutlet dialogs={links}>{(staff) => <PasswordLink staff={staff} onClose={links.close} />}</DialogOutlet>
    </>
  )
}

function toRoleText(staff: Staff): string {
  return `${staff.role || 'N/A'}: ${toAccessWords(staff).names || 'no pages'}`
}

function renderRole(staff: Staff) {
  return <TwoLines first={staff.role || 'N/A'} second={toAccessWords(staff).words} />
}

/** The name, with an icon for a second factor, as the table has no room for another column. */
function NameCell(staff: Staff) {
  return (
    <>
      {toFullName(staff)}
      {staff.hasSecondFactor && (
        <span className={styles.factor} title="Has a second factor">
          <IconShieldLock size={14} />
          <VisuallyHidden> has a second factor</VisuallyHidden>
        </span>
      )}
    </>
  )
}
