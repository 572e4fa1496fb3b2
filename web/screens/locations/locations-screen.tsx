import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { LocationListItem } from '#contract/locations.ts'
import { apiQuery } from '#web/api/query.ts'
import type { ApiResponse } from '#web/api/request-types.ts'
import { EmptyPage } from '#web/components/empty-page.tsx'
import { toListCount, useNarrowed } from '#web/components/list-count.ts'
import { useBlockToggle } from '#web/components/use-block-toggle.tsx'
import { usePagedRows } from '#web/lib/paged-rows.ts'
import { choiceParam, choiceParamOr, pageParam, textParam, useUrlState } from '#web/lib/url-state.ts'
import { Button } from '#web/ui/button/button.tsx'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { FilterBar } from '#web/ui/filter-bar/filter-bar.tsx'
import { IconPlus } from '#web/ui/icons/icons.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Pager } from '#web/ui/pager/pager.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { SimilarNote } from '#web/ui/similar-note/similar-note.tsx'
import { EmptyState, ErrorState } from '#web/ui/state-messages/state-messages.tsx'
import { DeleteLocation } from './delete-location.tsx'
import { LocationCard, LocationSkeletons } from './location-card.tsx'
import { LocationForm } from './location-form.tsx'
import styles from './locations-screen.module.css'

const PAGE_SIZE = 6

const params = {
  page: pageParam(),
  search: textParam(),
  status: choiceParam(['active', 'blocked']),
  sort: choiceParamOr(['name', 'city', '-createdAt'], 'name'),
}

const statusOptions = [
  { value: '', label: 'All statuses' },
  { value: 'active', label: 'Active' },
  { value: 'blocked', label: 'Inactive' },
]

const sortOptions = [
  { value: 'name', label: 'By name' },
  { value: 'city', label: 'By city' },
  { value: '-createdAt', label: 'Newest first' },
]

type DialogState = { kind: 'add' } | { kind: 'edit' | 'delete'; location: LocationListItem }

/** Page 7 (rules §6.6). */
export function LocationsScreen() {
  const [{ page, ...filters }, setUrl] = useUrlState(params)
  const locations = useQuery({
    ...apiQuery('locations', 'list', { query: { ...filters, page, limit: PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  })
  const rows = usePagedRows(
    locations,
    { rows: locations.data?.data.data, page, pageSize: PAGE_SIZE, total: locations.data?.total },
    setUrl,
  )
  const queryClient = useQueryClient()
  const reload = () => queryClient.invalidateQueries({ queryKey: ['locations'] })
  const dialogs = useDialogs<DialogState>()
  const { toggle } = useSwitch()

  const total = locations.data?.total
  const isFiltered = filters.search !== '' || filters.status !== undefined
  const narrowed = useNarrowed('locations', isFiltered)
  const add = () => dialogs.show({ kind: 'add' })

  function askToDelete(location: LocationListItem) {
    dialogs.show({ kind: 'delete', location })
    // Whether it has pods decides what is asked, and pods change on another screen.
    void reload()
  }

  return (
    <>
      <PageHeader
        title="Locations"
        count={toListCount('All Locations', { count: total, isAtLeast: false }, narrowed)}
        action={
          <Button variant="primary" icon={<IconPlus size={16} />} onClick={add}>
            Add Location
          </Button>
        }
      />
      <FilterBar
        search={{
          label: 'Search locations',
          placeholder: 'Search by name or address',
          value: filters.search,
          onChange: (search) => setUrl({ search }, { replace: true }),
        }}
        setCount={filters.status ? 1 : 0}
      >
        <NativeSelect
          label="Status"
          hideLabel
          value={filters.status ?? ''}
          options={statusOptions}
          onChange={(status) => setUrl({ status: params.status.parse(status) })}
        />
        <NativeSelect
          label="Order"
          hideLabel
          value={filters.sort}
          options={sortOptions}
          onChange={(sort) => setUrl({ sort: params.sort.parse(sort) })}
        />
      </FilterBar>
      <SimilarNote search={locations.data?.alike} />
      {locations.error && <ErrorState problem={toProblem(locations.error)} onRetry={() => void locations.refetch()} />}
      {rows?.length === 0 && (
        <NoLocations isFiltered={isFiltered} page={page} onAdd={add} onFirstPage={() => setUrl({ page: 1 })} />
      )}
      {!(locations.error && rows === undefined) && rows?.length !== 0 && (
        <ul className={styles.grid} aria-label="Locations" aria-busy={locations.isFetching}>
          {rows === undefined && <LocationSkeletons count={PAGE_SIZE} />}
          {rows?.map((location) => (
            <LocationCard
              key={location._id}
              location={location}
              onToggle={() => toggle(location)}
              onEdit={() => dialogs.show({ kind: 'edit', location })}
              onDelete={() => askToDelete(location)}
            />
          ))}
        </ul>
      )}
      <Pager
        label="Locations pages"
        page={page}
        pageSize={PAGE_SIZE}
        total={total}
        onPage={(next) => setUrl({ page: next })}
      />
      <DialogOutlet dialogs={dialogs}>
        {(dialog) => (
          <>
            {dialog.kind === 'add' && <LocationForm onSaved={reload} onClose={dialogs.close} />}
            {dialog.kind === 'edit' && (
              <LocationForm location={dialog.location} onSaved={reload} onClose={dialogs.close} />
            )}
            {dialog.kind === 'delete' && (
              <DeleteLocation
                location={rows?.find(({ _id }) => _id === dialog.location._id) ?? dialog.location}
                onDeleted={() => void reload()}
                onClose={dialogs.close}
              />
            )}
          </>
        )}
      </DialogOutlet>
    </>
  )
}

/** The switch moves at once, and back again when the server does not agree. */
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

type NoLocationsProps = { isFiltered: boolean; page: number; onAdd: () => void; onFirstPage: () => void }

function NoLocations({ isFiltered, page, onAdd, onFirstPage }: NoLocationsProps) {
  if (page > 1) return <EmptyPage onFirstPage={onFirstPage} />
  if (isFiltered) return <EmptyState>No location matches. Try other words or another status.</EmptyState>
  return (
    <EmptyState
      action={
        <Button icon={<IconPlus size={16} />} onClick={onAdd}>
          Add the first location
        </Button>
      }
    >
      The places where pods stand will be here.
    </EmptyState>
  )
}
