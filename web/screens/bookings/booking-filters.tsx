import { memo } from 'react'
import {
  type BookingBalance,
  type BookingMoment,
  type BookingStatus,
  bookingStatuses,
} from '#contract/booking-statuses.ts'
import { companySource } from '#web/components/company-source.ts'
import { LocationFilter } from '#web/components/location-filter.tsx'
import { RecordFilter } from '#web/components/record-filter.tsx'
import { ChoiceFilter, ListFilters, toChoices } from '#web/components/record-list/list-filters.tsx'
import type { ListState } from '#web/components/record-list/use-list-state.ts'
import { getBusinessDay } from '#web/lib/business-day.ts'
import { DateRangeFilter } from '#web/ui/date-filter/date-filter.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { customerSource, podSource } from './filter-sources.ts'

type BookingFilterValues = {
  search: string
  status: BookingStatus | undefined
  location: string
  pod: string
  user: string
  company: string
  from: string
  to: string
  when: BookingMoment | undefined
  balance: BookingBalance | undefined
}

const NO_SHOW = 'no-show'

type StatusValues = Pick<BookingFilterValues, 'status' | 'when' | 'balance'>

/** What the rows say below their status stands here too: that is where one looks for such bookings. */
const statusChoices: { value: string; label: string; sets: Partial<StatusValues> }[] = [
  { value: '', label: 'All statuses', sets: {} },
  ...bookingStatuses.map((status) => ({ value: status, label: status, sets: { status } })),
  { value: NO_SHOW, label: 'No-show', sets: { when: NO_SHOW } },
  { value: 'due', label: 'Still due', sets: { balance: 'due' } },
  { value: 'refund', label: 'To be given back', sets: { balance: 'refund' } },
]

const momentLabels: Record<Exclude<BookingMoment, typeof NO_SHOW>, string> = {
  upcoming: 'Upcoming',
  past: 'Past',
  running: 'Now',
  late: 'Late',
  arriving: 'Next hour',
}

const momentOptions = toChoices('Any time', momentLabels)

/** The filters of the bookings, all kept in the URL. Memoised, so as not to rerender for each response. */
export const BookingFilters = memo(function BookingFilters({ state }: { state: ListState<BookingFilterValues> }) {
  const { location, pod, user, company, when, from, to } = state.values
  return (
    <ListFilters state={state} label="Search bookings" placeholder="Search by pod, name, email or id" clearable>
      <StatusFilter state={state} />
      <LocationFilter value={location} onChange={(location) => state.setUrl({ location })} />
      <RecordFilter label="Pod" source={podSource} value={pod} onChange={(pod) => state.setUrl({ pod })} />
      <RecordFilter label="Customer" source={customerSource} value={user} onChange={(user) => state.setUrl({ user })} />
      {/* Links from other screens set these two. They are hidden otherwise, as they would need a second line. */}
      {when && when !== NO_SHOW && <ChoiceFilter state={state} name="when" label="When" options={momentOptions} />}
      {company !== '' && (
        <RecordFilter
          label="Company"
          source={companySource}
          value={company}
          onChange={(company) => state.setUrl({ company })}
        />
      )}
      <DateRangeFilter from={from} to={to} onChange={state.setUrl} getToday={getBusinessDay} />
    </ListFilters>
  )
})

/** The six statuses, and the bookings for which nobody came or something is owed, whatever their status. */
function StatusFilter({ state }: { state: ListState<BookingFilterValues> }) {
  const { status, when, balance } = state.values
  const setStatus = (text: string) =>
    state.setUrl({
      status: undefined,
      balance: undefined,
      ...(when === NO_SHOW && { when: undefined }),
      ...statusChoices.find(({ value }) => value === text)?.sets,
    })
  return (
    <NativeSelect
      label="Status"
      hideLabel
      value={when === NO_SHOW ? NO_SHOW : (balance ?? status ?? '')}
      options={statusChoices}
      onChange={setStatus}
    />
  )
}
