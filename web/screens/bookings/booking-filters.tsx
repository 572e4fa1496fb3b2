import { useQuery } from '@tanstack/react-query'
import { type BookingStatus, bookingStatuses } from '#contract/booking-statuses.ts'
import { apiQuery } from '#web/api/query.ts'
import { Button } from '#web/ui/button.tsx'
import { DateFilter } from '#web/ui/date-filter.tsx'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { NativeSelect } from '#web/ui/native-select.tsx'

type BookingFilterValues = {
  search: string
  status: BookingStatus | undefined
  location: string
  pod: string
  user: string
  from: string
  to: string
}

type BookingFiltersProps = {
  values: BookingFilterValues
  onChange: (change: Partial<BookingFilterValues>, options?: { replace?: boolean }) => void
}

const statusOptions = [
  { value: '', label: 'All statuses' },
  ...bookingStatuses.map((status) => ({ value: status, label: status })),
]

const cleared: BookingFilterValues = {
  search: '',
  status: undefined,
  location: '',
  pod: '',
  user: '',
  from: '',
  to: '',
}

/** What narrows the list of bookings; all of it is in the URL. */
export function BookingFilters({ values, onChange }: BookingFiltersProps) {
  const locations = useQuery(apiQuery('locations', 'list', { query: { page: 1, limit: 100, sort: 'name' } }))
  const locationOptions = [
    { value: '', label: 'All locations' },
    ...(locations.data?.data.data ?? []).map((location) => ({ value: location._id, label: location.name })),
  ]
  return (
    <FilterBar
      search={{
        label: 'Search bookings',
        placeholder: 'Search by pod, name, email or id',
        value: values.search,
        onChange: (search) => onChange({ search }, { replace: true }),
      }}
    >
      <NativeSelect
        label="Status"
        hideLabel
        value={values.status ?? ''}
        options={statusOptions}
        onChange={(value) => onChange({ status: bookingStatuses.find((status) => status === value) })}
      />
      <NativeSelect
        label="Location"
        hideLabel
        value={values.location}
        options={locationOptions}
        onChange={(location) => onChange({ location })}
      />
      <DateFilter label="From" value={values.from} onChange={(from) => onChange({ from })} />
      <DateFilter label="To" value={values.to} onChange={(to) => onChange({ to })} />
      {Object.values(values).some(Boolean) && (
        <Button variant="subtle" onClick={() => onChange(cleared)}>
          Clear filters
        </Button>
      )}
    </FilterBar>
  )
}
