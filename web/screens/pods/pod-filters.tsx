import { LocationFilter } from '#web/components/location-filter.tsx'
import { FilterBar } from '#web/ui/filter-bar/filter-bar.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { type PodSort, podSortLabels, podSorts } from './pod-sorts.ts'

type PodFilterValues = { search: string; status: 'active' | 'blocked' | undefined; location: string; sort: PodSort }

type PodFiltersProps = {
  values: PodFilterValues
  onChange: (change: Partial<PodFilterValues>, options?: { replace?: boolean }) => void
}

const statuses = ['active', 'blocked'] as const

const statusOptions = [
  { value: '', label: 'All statuses' },
  { value: 'active', label: 'Active' },
  { value: 'blocked', label: 'Inactive' },
]

const sortOptions = podSorts.map((sort) => ({ value: sort, label: podSortLabels[sort] }))

/** What narrows and sorts the list of pods; all of it is in the URL. */
export function PodFilters({ values, onChange }: PodFiltersProps) {
  return (
    <FilterBar
      search={{
        label: 'Search pods',
        placeholder: 'Search by title, place or id',
        value: values.search,
        onChange: (search) => onChange({ search }, { replace: true }),
      }}
      setCount={[values.status, values.location].filter(Boolean).length}
    >
      <NativeSelect
        label="Status"
        hideLabel
        value={values.status ?? ''}
        options={statusOptions}
        onChange={(value) => onChange({ status: statuses.find((status) => status === value) })}
      />
      <LocationFilter value={values.location} onChange={(location) => onChange({ location })} />
      <NativeSelect
        label="Sort"
        hideLabel
        value={values.sort}
        options={sortOptions}
        onChange={(value) => onChange({ sort: podSorts.find((sort) => sort === value) ?? '-createdAt' })}
      />
    </FilterBar>
  )
}
