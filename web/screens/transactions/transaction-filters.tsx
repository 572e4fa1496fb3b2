import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { transactionStatuses } from '#contract/transaction-statuses.ts'
import { apiQuery } from '#web/api/query.ts'
import { companySource } from '#web/components/company-source.ts'
import { LocationFilter } from '#web/components/location-filter.tsx'
import { RecordFilter } from '#web/components/record-filter.tsx'
import { ChoiceFilter, ListFilters } from '#web/components/record-list/list-filters.tsx'
import type { ListState } from '#web/components/record-list/use-list-state.ts'
import { getBusinessDay } from '#web/lib/business-day.ts'
import { AmountRangeFilter } from '#web/ui/amount-filter/amount-filter.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { DateRangeFilter } from '#web/ui/date-filter/date-filter.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'

type TransactionFilterValues = {
  search: string
  status: (typeof transactionStatuses)[number] | undefined
  facilitator: string
  location: string
  company: string
  min: string
  max: string
  from: string
  to: string
}

const statusOptions = [
  { value: '', label: 'All statuses' },
  ...transactionStatuses.map((status) => ({ value: status, label: status })),
]

type TransactionFiltersProps = { state: ListState<TransactionFilterValues> }

/** The filters of the transactions, all kept in the URL. Memoised, so as not to rerender for each response. */
export const TransactionFilters = memo(function TransactionFilters({ state }: TransactionFiltersProps) {
  const { facilitator, location, company, min, max, from, to } = state.values
  const { setUrl } = state
  return (
    <ListFilters
      state={state}
      label="Search transactions"
      placeholder="Search by id, checkout id, pod or name"
      clearable
    >
      <ChoiceFilter state={state} name="status" label="Status" options={statusOptions} />
      <FacilitatorFilter value={facilitator} onChange={(name) => setUrl({ facilitator: name })} />
      <LocationFilter value={location} onChange={(location) => setUrl({ location })} />
      {/* Set by a link from the company. Hidden otherwise, as it would need a second line. */}
      {company !== '' && (
        <RecordFilter
          label="Company"
          source={companySource}
          value={company}
          onChange={(company) => setUrl({ company })}
        />
      )}
      <AmountRangeFilter min={min} max={max} onChange={setUrl} />
      <DateRangeFilter from={from} to={to} onChange={setUrl} getToday={getBusinessDay} />
    </ListFilters>
  )
})

/** The facilitators of existing transactions. The chosen one is always offered, even while they load. */
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
