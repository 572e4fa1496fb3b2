import type { Company } from '#contract/companies.ts'
import { useMay } from '#web/api/may.ts'
import { CallButton } from '#web/components/call-button.tsx'
import { DeleteDialog } from '#web/components/record-list/delete-dialog.tsx'
import { toListCount } from '#web/components/record-list/list-count.ts'
import { ChoiceFilter, ListFilters, toChoices, toNoDeletedText } from '#web/components/record-list/list-filters.tsx'
import { idColumn } from '#web/components/record-list/record-columns.tsx'
import { RecordDialogs, useRecordDialogs } from '#web/components/record-list/record-dialogs.tsx'
import { RecordTable } from '#web/components/record-list/record-table.tsx'
import { useRecordList } from '#web/components/record-list/use-record-list.ts'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconDownload, IconEye, IconPlus } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { TwoLines } from '#web/ui/two-lines/two-lines.tsx'
import { CompanyDialog } from './company-dialog.tsx'
import { CompanyForm } from './company-form.tsx'
import { companyList } from './company-list.ts'

const columns: readonly Column<Company>[] = [
  idColumn('Company Id'),
  { key: 'name', header: 'Company', width: 172, wraps: true, text: toName, sortable: true, phone: 'title' },
  {
    key: 'contact',
    header: 'Contact',
    minWidth: 230,
    // On two lines, because next to a long name the email address would be cut off.
    render: ({ contactName, email }) =>
      contactName && email ? <TwoLines first={contactName} second={email} /> : contactName || email || 'N/A',
    text: ({ contactName, email }) => [contactName, email].filter(Boolean).join(', ') || 'N/A',
  },
  { key: 'phone', header: 'Phone', width: 148, text: (company) => company.phone || 'N/A' },
  {
    key: 'costCentre',
    header: 'Cost Centre',
    width: 120,
    wraps: true,
    text: (company) => company.costCentre || 'N/A',
    hideOnPhone: true,
  },
]

const statusOptions = toChoices('All companies', { deleted: 'Deleted' })

/** Companies that pods are booked for; access to page 9 includes them (rules §29.1). */
export function CompaniesScreen() {
  const list = useRecordList(companyList)
  const records = useRecordDialogs<Company>('company', toName)
  const shown = useDialogs<Company>()
  const { dialogs, create } = records
  const mayChange = useMay().changeRecords('company')
  const isDeleted = list.state.values.status === 'deleted'

  const rowActions = (company: Company): RowAction[] =>
    isDeleted
      ? records.toDeletedActions(company)
      : [
          { label: 'Details and bookings', icon: <IconEye />, onSelect: () => shown.show(company) },
          // Hidden without the right to edit: the details show the same fields.
          { ...records.toEditAction(company), hidden: !mayChange },
          records.toHistoryAction(company),
          records.toDeleteAction(company, 'companies.delete'),
        ]

  return (
    <>
      <PageHeader
        title="Companies"
        count={toListCount('All Companies', list.total, list.narrowed)}
        secondaryActions={
          <CallButton call="companies.export" icon={<IconDownload size={16} />} onClick={() => list.download('export')}>
            Download
          </CallButton>
        }
        action={
          <CallButton call="companies.create" variant="primary" icon={<IconPlus size={16} />} onClick={create}>
            Add Company
          </CallButton>
        }
      />
      <ListFilters state={list.state} label="Search companies" placeholder="Search by name, contact or VAT number">
        <ChoiceFilter state={list.state} name="status" label="Status" options={statusOptions} />
      </ListFilters>
      <RecordTable
        list={list}
        label="Companies"
        columns={columns}
        rowName={toName}
        rowActions={rowActions}
        noMatch={isDeleted ? toNoDeletedText('companies') : 'No company matches. Try other words.'}
        noneYet={
          <EmptyState
            action={
              <CallButton call="companies.create" icon={<IconPlus size={16} />} onClick={create}>
                Add the first company
              </CallButton>
            }
          >
            Companies that book pods for their people appear here.
          </EmptyState>
        }
      />
      <DialogOutlet dialogs={shown}>
        {(company) => <CompanyDialog opened={company} onClose={shown.close} />}
      </DialogOutlet>
      <RecordDialogs
        dialogs={dialogs}
        renderForm={(company, onClose) => <CompanyForm company={company} onClose={onClose} />}
        renderDeletion={(company, onClose) => (
          <DeleteDialog
            domain="companies"
            id={company._id}
            version={company.version}
            title="Delete company"
            consequence="It can no longer be booked for. Its bookings stay and keep its name."
            onClose={onClose}
          >
            Are you sure you want to delete {company.name}?
          </DeleteDialog>
        )}
      />
    </>
  )
}

function toName({ name }: Company): string {
  return name
}
