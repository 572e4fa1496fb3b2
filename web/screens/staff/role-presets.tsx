import { nameMissingAccess, toPageLevels } from '#contract/pages.ts'
import type { RolePreset } from '#contract/role-presets.ts'
import { useMay } from '#web/api/may.ts'
import { CallButton } from '#web/components/call-button.tsx'
import { listLevels, toLocationWords } from '#web/components/page-access-words.ts'
import { defineList } from '#web/components/record-list/define-list.ts'
import { DeleteDialog } from '#web/components/record-list/delete-dialog.tsx'
import { toListCount } from '#web/components/record-list/list-count.ts'
import { ChoiceFilter, ListFilters, toChoices, toNoDeletedText } from '#web/components/record-list/list-filters.tsx'
import { RecordDialogs, useRecordDialogs } from '#web/components/record-list/record-dialogs.tsx'
import { RecordTable } from '#web/components/record-list/record-table.tsx'
import { useRecordList } from '#web/components/record-list/use-record-list.ts'
import { choiceParam, choiceParamOr, pageParam, textParam } from '#web/lib/url-state.ts'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { IconPlus } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { RolePresetForm } from './role-preset-form.tsx'
import { StaffTabs } from './staff-tabs.tsx'

const rolePresetList = defineList(
  'rolePresets',
  {
    page: pageParam(),
    search: textParam(),
    status: choiceParam(['deleted']),
    sort: choiceParamOr(['name', '-name', '-createdAt', 'createdAt'], 'name'),
  },
  { nouns: ['preset', 'presets'], entity: 'role-preset', pageSize: 10 },
)

const columns: readonly Column<RolePreset>[] = [
  { key: 'name', header: 'Preset', width: 200, wraps: true, sortable: true, text: toName, phone: 'title' },
  {
    key: 'pages',
    header: 'Page access',
    minWidth: 260,
    wraps: true,
    text: toPagesText,
    wholeOnPhone: true,
  },
  { key: 'locations', header: 'Locations', width: 140, text: ({ locations }) => toLocationWords(locations) },
]

const statusOptions = toChoices('All presets', { deleted: 'Deleted' })

/** The presets from which the forms of colleagues and API keys can start (rules §34.7). */
export function RolePresets() {
  const list = useRecordList(rolePresetList)
  const { held } = useMay()
  const records = useRecordDialogs<RolePreset>('role-preset', toName)
  const { dialogs, create } = records
  const isDeleted = list.state.values.status === 'deleted'

  const rowActions = (preset: RolePreset): RowAction[] => {
    if (isDeleted) return records.toDeletedActions(preset)
    const missing = nameMissingAccess(preset, held)
    const unavailable = missing && `It gives more than you hold: ${missing}`
    return [
      { ...records.toEditAction(preset), unavailable },
      records.toHistoryAction(preset),
      { ...records.toDeleteAction(preset, 'rolePresets.delete'), unavailable },
    ]
  }

  return (
    <>
      <PageHeader
        title="Assign a role"
        description="A preset fills in the form of a colleague or an API key. Changing or deleting one changes nobody who was given it."
        count={toListCount('All Presets', list.total, list.narrowed)}
        action={
          <CallButton call="rolePresets.create" variant="primary" icon={<IconPlus size={16} />} onClick={create}>
            Add Preset
          </CallButton>
        }
      />
      <StaffTabs shown="presets" />
      <ListFilters state={list.state} label="Search presets" placeholder="Search by name">
        <ChoiceFilter state={list.state} name="status" label="Status" options={statusOptions} />
      </ListFilters>
      <RecordTable
        list={list}
        label="Presets"
        columns={columns}
        rowName={toName}
        rowActions={rowActions}
        noMatch={isDeleted ? toNoDeletedText('presets') : 'No preset matches. Try other words.'}
        noneYet="What colleagues of one role are given appears here, to start their forms from."
      />
      <RecordDialogs
        dialogs={dialogs}
        renderForm={(preset, onClose) => <RolePresetForm preset={preset} onClose={onClose} />}
        renderDeletion={(preset, onClose) => (
          <DeleteDialog
            domain="rolePresets"
            id={preset._id}
            version={preset.version}
            title="Delete preset"
            consequence="No form can start from it any more. Whoever was given it keeps what they have."
            onClose={onClose}
          >
            Are you sure you want to delete {preset.name}?
          </DeleteDialog>
        )}
      />
    </>
  )
}

/** Lists the pages with their levels. Says 'View only' once if it is true of all, so that the names fit. */
function toPagesText({ auth_page, viewOnlyPages }: RolePreset): string {
  const isViewed = viewOnlyPages.length === auth_page.length
  return isViewed
    ? `View only: ${listLevels(toPageLevels({ auth_page }))}`
    : listLevels(toPageLevels({ auth_page, viewOnlyPages }))
}

function toName({ name }: RolePreset): string {
  return name
}
