import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { transactionStatuses } from '#contract/transaction-statuses.ts'
import { apiQuery } from '#web/api/query.ts'
import { LocationFilter } from '#web/components/location-filter.tsx'
import { findBusinessDay } from '#web/lib/business-day.ts'
import { AmountRangeFilter } from '#web/ui/amount-filter/amount-filter.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { DateRangeFilter } from '#web/ui/date-filter/date-filter.tsx'
import { FilterBar } from '#web/ui/filter-bar/filter-bar.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'

type TransactionFilterValues = {
  search: string
  status: (typeof transactionStatuses)[number] | undefined
  facilitator: string
  location: string
  min: string
  max: string
  from: string
  to: string
}

type TransactionFiltersProps = {
  values: TransactionFilterValues
  onChange: (change: Partial<TransactionFilterValues>, options?: { replace?: boolean }) => void
}

const statusOptions = [
  { value: '', label: 'All statuses' },
  ...transactionStatuses.map((status) => ({ value: status, label: status })),
]

export const noTransactionFilters: TransactionFilterValues = {
  search: '',
  status: undefined,
  facilitator: '',
  location: '',
  min: '',
  max: '',
  from: '',
  to: '',
}

/** What narrows the list of transactions; all of it is in the URL. Drawn anew when that changes, not for each answer. */
export const TransactionFilters = memo(function TransactionFilters({ values, onChange }: TransactionFiltersProps) {
  const { search, status, facilitator, location, min, max, from, to } = values
  return (
    <FilterBar
      search={{
        label: 'Search transactions',
        placeholder: 'Search by id, checkout id, pod or name',
        value: search,
        onChange: (text) => onChange({ search: text }, { replace: true }),
      }}
      setCount={[status, facilitator, location, min, max, from, to].filter(Boolean).length}
      onClear={() => onChange(noTransactionFilters)}
    >
      <NativeSelect
        label="Status"
        hideLabel
        value={status ?? ''}
        options={statusOptions}
        onChange={(value) => onChange({ status: transactionStatuses.find((status) => status === value) })}
      />
      <FacilitatorFilter value={facilitator} onChange={(name) => onChange({ facilitator: name })} />
      <LocationFilter value={location} onChange={(location) => onChange({ location })} />
      <AmountRangeFilter min={min} max={max} onChange={onChange} />
      <DateRangeFilter from={from} to={to} onChange={onChange} findToday={findBusinessDay} />
    </FilterBar>
  )
})

/** The facilitators that transactions have; the chosen one is shown while they load, and when there is none of it. */
function FacilitatorFilter({ value, onChange }: { value: string; onChange: (facilitator: string) => void }) {
  const facilitators = useQuery(apiQuery('transactions', 'facilitators'))
  const names = new Set(facilitators.data?.data)
  if (value !== '') names.add(value)
  return (
    <>
      <NativeSelect
        label="Payment facilitator"
        hideLabel
        value={value}
        options={[
          { value: '', label: 'All facilitators' },
          ...Array.from(names, (name) => ({ value: name, label: name })),
        ]}
        onChange={onChange}
      />
      {facilitators.error && (
        <Button variant="subtle" loading={facilitators.isFetching} onClick={() => void facilitators.refetch()}>
          Facilitators not loaded: try again
        </Button>
      )}
    </>
  )
}
