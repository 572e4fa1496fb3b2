import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '#web/api/query.ts'
import { toLocationOption, useLocationLookup } from '#web/components/use-location-lookup.ts'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { LookupField } from '#web/ui/lookup-field.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'
import { type PodSort, podSortLabels, podSorts } from './pod-sorts.ts'
import styles from './pods.module.css'

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
  const lookup = useLocationLookup()
  // A shared link carries the location's id alone.
  const chosen = useQuery({
    ...apiQuery('locations', 'get', { params: { id: values.location } }),
    enabled: values.location !== '',
  })
  const option = lookup.options.find(({ value }) => value === values.location)
  return (
    <FilterBar
      search={{
        label: 'Search pods',
        placeholder: 'Search by title, place or id',
        value: values.search,
        onChange: (search) => onChange({ search }, { replace: true }),
      }}
    >
      <NativeSelect
        label="Status"
        hideLabel
        value={values.status ?? ''}
        options={statusOptions}
        onChange={(value) => onChange({ status: statuses.find((status) => status === value) })}
      />
      <div className={styles.locationFilter}>
        <LookupField
          label="Location"
          hideLabel
          placeholder="All locations"
          clearable
          lookup={lookup}
          selected={option ?? (chosen.data && toLocationOption(chosen.data.data))}
          value={values.location || null}
          onChange={(location) => onChange({ location: location ?? '' })}
        />
      </div>
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
