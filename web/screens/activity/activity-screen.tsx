import type { ApiKey } from '#contract/api-keys.ts'
import { auditEntities, auditEntityNames, findEntity } from '#contract/audit-entities.ts'
import type { Change } from '#contract/audit.ts'
import { toFullName } from '#contract/full-name.ts'
import type { PageCode } from '#contract/pages.ts'
import type { Staff } from '#contract/staff.ts'
import { ApiError } from '#web/api/api-error.ts'
import { api } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import { CallButton } from '#web/components/call-button.tsx'
import { actionLabels } from '#web/components/history/change-labels.ts'
import { toActorName, toChangeText } from '#web/components/history/change-words.ts'
import { HistoryDialog, type HistoryOf } from '#web/components/history/history-dialog.tsx'
import { toKindLabel } from '#web/components/history/kind-words.ts'
import { RecordFilter, type RecordSource } from '#web/components/record-filter.tsx'
import { RecordLink } from '#web/components/record-link.tsx'
import { toListCount } from '#web/components/record-list/list-count.ts'
import { ChoiceFilter, toChoices } from '#web/components/record-list/list-filters.tsx'
import { timeColumn } from '#web/components/record-list/record-columns.tsx'
import { RecordTable } from '#web/components/record-list/record-table.tsx'
import { useRecordList } from '#web/components/record-list/use-record-list.ts'
import { getBusinessDay } from '#web/lib/business-day.ts'
import { customerPath, pageOf, screensOfKinds } from '#web/paths.ts'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DateRangeFilter } from '#web/ui/date-filter/date-filter.tsx'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { FilterBar } from '#web/ui/filter-bar/filter-bar.tsx'
import { IconDownload, IconEye, IconHistory } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { activityList } from './activity-list.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { ImportArchive } from './import-archive.tsx'

const columns: readonly Column<Change>[] = [
  timeColumn<Change>('at', 'Date', ({ at }) => at),
  { key: 'actor', header: 'By', minWidth: 130, wraps: true, text: ({ actor }) => toActorName(actor) },
  {
    key: 'change',
    header: 'Change',
    minWidth: 210,
    wraps: true,
    text: (change) => toChangeText(change).replace(/^./, (letter) => letter.toUpperCase()),
    phone: 'title',
  },
  {
    key: 'record',
    header: 'Record',
    minWidth: 170,
    wraps: true,
    text: toLabel,
    render: (change) => <Record change={change} />,
  },
  {
    key: 'kind',
    header: 'Kind',
    width: 148,
    wraps: true,
    text: ({ entity }) => toKindLabel(entity),
    hideOnPhone: true,
  },
  {
    key: 'address',
    header: 'Address',
    width: 132,
    mono: true,
    text: ({ address }) => address ?? '',
    hideOnPhone: true,
  },
]

/** Returns the record's name, or its kind when there is none, as for several records at once. */
function toLabel({ label, entity }: Change): string {
  return label || toKindLabel(entity)
}

/**
 * Returns where the record is shown. Customers have a page of their own, also those whose personal data are erased,
 * whom no list finds.
 */
function toRecordPath({ entity, entityId, isDeleted }: Change): string | undefined {
  if (entity === 'customer' && entityId !== null) return customerPath(entityId)
  const screen = screensOfKinds[entity]
  if (typeof screen !== 'function') return screen
  return screen({ search: entityId ?? undefined, status: isDeleted ? 'deleted' : undefined })
}

function Record({ change }: { change: Change }) {
  const held = useSession()?.pages ?? []
  const label = toLabel(change)
  const path = toRecordPath(change)
  const page = findEntity(change.entity)?.page
  const mayOpen = path !== undefined && page !== undefined && held.includes(page)
  return mayOpen ? <RecordLink href={path}>{label}</RecordLink> : label
}

const kindOptions = [
  { value: '', label: 'All kinds' },
  ...auditEntityNames.map((entity) => ({ value: entity, label: auditEntities[entity].label })),
]
const actionOptions = toChoices('All actions', actionLabels)

type Actor = (Staff & { isDeleted?: true }) | ApiKey

/** Staff, API keys and deleted staff, from three lists that are searched and shown as one. */
const actorSource: RecordSource<Actor> = {
  domain: 'staff',
  list: listActors,
  get: async (id, signal) => {
    const response = await listActors({ page: 1, limit: 1, search: id }, signal)
    const [actor] = response.data
    if (!actor) throw new ApiError({ status: 404, code: 'not_found', message: 'Not found.' })
    return { ...response, data: actor }
  },
  toOption: (actor) =>
    'prefix' in actor
      ? { value: actor._id, label: actor.name, detail: 'API key' }
      : { value: actor._id, label: toFullName(actor), detail: actor.isDeleted ? 'Deleted' : actor.email },
}

async function listActors(page: { page: number; limit: number; search: string }, signal: AbortSignal) {
  const query = { ...page, sort: 'name' } as const
  const [staff, keys, deleted] = await Promise.all([
    api('staff', 'list', { query, signal }),
    api('apiKeys', 'list', { query, signal }),
    api('staff', 'list', { query: { ...query, status: 'deleted' }, signal }),
  ])
  const data: Actor[] = [
    ...staff.data,
    ...keys.data,
    ...deleted.data.map((one) => ({ ...one, isDeleted: true }) as const),
  ]
  const total = [staff, keys, deleted].reduce((sum, { total = 0 }) => sum + total, 0)
  return { ...staff, data, total }
}

/** Returns why the history of the record cannot be opened by somebody with these pages. */
function whyNoHistory({ entity, entityId }: Change, held: readonly PageCode[]): string | undefined {
  const page = findEntity(entity)?.page
  if (page === undefined) return 'Reload the page first: this kind of record is new.'
  if (entityId === null && entity !== 'settings' && entity !== 'policy') return 'It is not about one record.'
  return held.includes(page) ? undefined : `You do not have access to ${pageOf(page).name}.`
}

type Shown = { kind: 'change'; change: Change } | { kind: 'history'; of: HistoryOf }

/** All changes, with who made them and when (rules §25.4). */
export function ActivityScreen() {
  const list = useRecordList(activityList)
  const { state } = list
  const { actor, from, to } = state.values
  const dialogs = useDialogs<Shown>()
  const held = useSession()?.pages ?? []

  const rowActions = (change: Change): RowAction[] => [
    { label: 'Details', icon: <IconEye />, onSelect: () => dialogs.show({ kind: 'change', change }) },
    {
      label: 'History',
      icon: <IconHistory />,
      unavailable: whyNoHistory(change, held),
      onSelect: () =>
        dialogs.show({
          kind: 'history',
          of: { entity: change.entity, id: change.entityId ?? undefined, name: toLabel(change) },
        }),
    },
  ]

  return (
    <>
      <PageHeader
        title="Activity"
        count={toListCount('All Changes', list.total, list.narrowed)}
        secondaryActions={
          <>
            <ImportArchive onDone={() => void list.reload()} />
            <CallButton call="audit.export" icon={<IconDownload size={16} />} onClick={() => list.download('export')}>
              Download
            </CallButton>
          </>
        }
      />
      <FilterBar setCount={state.setCount} onClear={state.clear}>
        <RecordFilter
          label="Person or key"
          plural="people and keys"
          source={actorSource}
          value={actor}
          onChange={(actor) => state.setUrl({ actor })}
        />
        <ChoiceFilter state={state} name="entity" label="Kind" options={kindOptions} />
        <ChoiceFilter state={state} name="action" label="Action" options={actionOptions} />
        <DateRangeFilter from={from} to={to} onChange={state.setUrl} getToday={getBusinessDay} />
      </FilterBar>
      <RecordTable
        list={list}
        label="Changes"
        columns={columns}
        rowName={(change) => `“${toChangeText(change)}”, ${toLabel(change)}`}
        rowActions={rowActions}
        skeletonRows={10}
        noMatch="No change matches these filters."
        noneYet="Changes appear here as soon as anybody makes one."
      />
      <DialogOutlet dialogs={dialogs}>
        {(shown) =>
          shown.kind === 'change' ? (
            <ChangeDialog change={shown.change} onClose={dialogs.close} />
          ) : (
            <HistoryDialog of={shown.of} onClose={dialogs.close} />
          )
        }
      </DialogOutlet>
    </>
  )
}
