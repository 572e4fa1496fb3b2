import { useQueryClient } from '@tanstack/react-query'
import type { LocationListItem } from '#contract/locations.ts'
import { useMay } from '#web/api/may.ts'
import type { ApiResponse } from '#web/api/request-types.ts'
import { CallButton } from '#web/components/call-button.tsx'
import { BlockDialog } from '#web/components/closures/block-dialog.tsx'
import { OpeningHoursDialog } from '#web/components/opening-hours/opening-hours-dialog.tsx'
import { toListCount } from '#web/components/record-list/list-count.ts'
import { BlockedFilter, ChoiceFilter, ListFilters, toNoDeletedText } from '#web/components/record-list/list-filters.tsx'
import { ChangedRows } from '#web/components/record-list/new-records.tsx'
import { RecordDialogs, useRecordDialogs } from '#web/components/record-list/record-dialogs.tsx'
import { EmptyList, ListFrame } from '#web/components/record-list/record-table.tsx'
import { useBlockToggle } from '#web/components/record-list/use-block-toggle.tsx'
import { useRecordList } from '#web/components/record-list/use-record-list.ts'
import type { RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconClock, IconPlus } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { EmptyRegion, EmptyState, ErrorState } from '#web/ui/state-messages/state-messages.tsx'
import { DeleteLocation } from './delete-location.tsx'
import { LocationCard, LocationSkeletons } from './location-card.tsx'
import { LocationForm } from './location-form.tsx'
import { locationList } from './location-list.ts'
import styles from './locations-screen.module.css'

const sortOptions = [
  { value: 'name', label: 'By name' },
  { value: 'city', label: 'By city' },
  { value: '-createdAt', label: 'Newest first' },
]

/** Screen of page 7 (rules §6.6). */
export function LocationsScreen() {
  const list = useRecordList(locationList)
  const records = useRecordDialogs<LocationListItem>('location', ({ name }) => name)
  const { dialogs, create } = records
  const isDeleted = list.state.values.status === 'deleted'
  const { toggle } = useSwitch()
  const maySwitch = useMay().changeRecords('location')
  const blocking = useDialogs<LocationListItem>()
  const { rows, error } = list
  const hours = useDialogs<string>()

  const toActions = (location: LocationListItem): RowAction[] => [
    records.toEditAction(location),
    { label: 'Opening hours of', icon: <IconClock />, onSelect: () => hours.show(location._id) },
    records.toHistoryAction(location),
    {
      ...records.toDeleteAction(location, 'locations.delete'),
      onSelect: () => {
        records.askToDelete(location)
        // The question depends on whether the location has pods, which change on another screen.
        void list.reload()
      },
    },
  ]

  return (
    <>
      <PageHeader
        title="Locations"
        count={toListCount('All Locations', list.total, list.narrowed)}
        action={
          <CallButton call="locations.create" variant="primary" icon={<IconPlus size={16} />} onClick={create}>
            Add Location
          </CallButton>
        }
      />
      <ListFilters state={list.state} label="Search locations" placeholder="Search by name or address">
        <BlockedFilter state={list.state} />
        <ChoiceFilter state={list.state} name="sort" label="Order" options={sortOptions} />
      </ListFilters>
      <ListFrame list={list} label="Locations">
        <ChangedRows
          marks={list.marks}
          names={rows?.flatMap(({ _id, name }) => (list.marks.ids.has(_id) ? [name] : [])) ?? []}
        />
        {error && (
          <ErrorState
            framed
            title="Locations could not be loaded"
            problem={toProblem(error)}
            onRetry={list.retry}
            retrying={list.isFetching}
            outdated={rows !== undefined}
          />
        )}
        <EmptyRegion>
          {rows?.length === 0 && (
            <EmptyList
              list={list}
              framed
              noMatch={
                isDeleted ? toNoDeletedText('locations') : 'No location matches. Try other words or another status.'
              }
              noneYet={
                <EmptyState
                  framed
                  action={
                    <CallButton call="locations.create" icon={<IconPlus size={16} />} onClick={create}>
                      Add the first location
                    </CallButton>
                  }
                >
                  Locations appear here once the first one is added.
                </EmptyState>
              }
            />
          )}
        </EmptyRegion>
        {!(error && rows === undefined) && rows?.length !== 0 && (
          <ul className={styles.grid} aria-label="Locations" aria-busy={list.isFetching}>
            {rows === undefined && <LocationSkeletons count={list.pageSize} />}
            {rows?.map((location) => (
              <LocationCard
                key={location._id}
                location={location}
                isMarked={list.marks.ids.has(location._id)}
                isDeleted={isDeleted}
                onToggle={
                  isDeleted || !maySwitch
                    ? undefined
                    : () => (location.isBlocked ? toggle(location) : blocking.show(location))
                }
                actions={isDeleted ? records.toDeletedActions(location) : toActions(location)}
              />
            ))}
          </ul>
        )}
      </ListFrame>
      <DialogOutlet dialogs={hours}>
        {(id) => <OpeningHoursDialog owner="location" id={id} onClose={hours.close} />}
      </DialogOutlet>
      <DialogOutlet dialogs={blocking}>
        {({ _id, name }) => <BlockDialog of={{ entity: 'location', id: _id, name }} onClose={blocking.close} />}
      </DialogOutlet>
      <RecordDialogs
        dialogs={dialogs}
        renderForm={(location, onClose) => <LocationForm location={location} onClose={onClose} />}
        renderDeletion={(location, onClose) => (
          <DeleteLocation location={rows?.find(({ _id }) => _id === location._id) ?? location} onClose={onClose} />
        )}
      />
    </>
  )
}

/** Moves the switch at once, and back when the server refuses. */
function useSwitch() {
  const queryClient = useQueryClient()
  return useBlockToggle('locations', {
    show: ({ _id }, isBlocked) =>
      queryClient.setQueriesData<LocationResponse>({ queryKey: ['locations', 'list'] }, (response) => {
        if (response === undefined) return response
        const rows = response.data.data.map((row) => (row._id === _id ? { ...row, isBlocked } : row))
        return { ...response, data: { data: rows } }
      }),
  })
}

type LocationResponse = ApiResponse<{ data: LocationListItem[] }>
