import { memo } from 'react'
import { type BookingStatus, bookingStatuses } from '#contract/booking-statuses.ts'
import { LocationFilter } from '#web/components/location-filter.tsx'
import { RecordFilter } from '#web/components/record-filter.tsx'
import { findBusinessDay } from '#web/lib/business-day.ts'
import { DateRangeFilter } from '#web/ui/date-filter/date-filter.tsx'
import { FilterBar } from '#web/ui/filter-bar/filter-bar.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { customerSource, podSource } from './filter-sources.ts'

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

/** What narrows the list of bookings; all of it is in the URL. Drawn anew when that changes, and not for each answer. */
export const BookingFilters = memo(function BookingFilters({ values, onChange }: BookingFiltersProps) {
  const { search, status, location, pod, user, from, to } = values
  return (
    <FilterBar
      search={{
        label: 'Search bookings',
        placeholder: 'Search by pod, name, email or id',
        value: search,
        onChange: (search) => onChange({ search }, { replace: true }),
      }}
      setCount={[status, location, pod, user, from, to].filter(Boolean).length}
      onClear={() => onChange(cleared)}
    >
      <NativeSelect
        label="Status"
        hideLabel
        value={status ?? ''}
        options={statusOptions}
        onChange={(value) => onChange({ status: bookingStatuses.find((status) => status === value) })}
      />
      <LocationFilter value={location} onChange={(location) => onChange({ location })} />
      <RecordFilter label="Pod" source={podSource} value={pod} onChange={(pod) => onChange({ pod })} />
      <RecordFilter label="Customer" source={customerSource} value={user} onChange={(user) => onChange({ user })} />
      <DateRangeFilter from={from} to={to} onChange={onChange} findToday={findBusinessDay} />
    </FilterBar>
  )
})
