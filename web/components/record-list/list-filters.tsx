import type { ReactNode } from 'react'
import { FilterBar } from '#web/ui/filter-bar/filter-bar.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import type { ListState } from './use-list-state.ts'

type ListFiltersProps<V> = {
  state: ListState<V>
  /** Of the search: 'Search pods'. */
  label: string
  placeholder?: string
  /** Offers a button that empties search and filters. */
  clearable?: boolean
  note?: ReactNode
  children: ReactNode
}

/** The search of a list, and the filters that are given. */
export function ListFilters<V extends { search: string }>(props: ListFiltersProps<V>) {
  const { state, label, placeholder, clearable = false, note, children } = props
  return (
    <FilterBar
      search={{
        label,
        ...(placeholder !== undefined && { placeholder }),
        value: state.values.search,
        onChange: (text) => state.setUrl({ search: text } as Partial<V>, { replace: true }),
      }}
      setCount={state.setCount}
      {...(clearable && { onClear: state.clear })}
      note={note}
    >
      {children}
    </FilterBar>
  )
}

type ChoiceFilterProps<V> = {
  state: ListState<V>
  /** The value that it sets. */
  name: keyof V & string
  label: string
  options: readonly { value: string; label: string }[]
}

/** One of a handful of choices. */
export function ChoiceFilter<V>({ state, name, label, options }: ChoiceFilterProps<V>) {
  return (
    <NativeSelect
      label={label}
      hideLabel
      value={String(state.values[name] ?? '')}
      options={options}
      onChange={(text) => state.setText(name, text)}
    />
  )
}

/** Choices for each of some labels, after one for all of them. */
export function toChoices(all: string, labels: { readonly [value: string]: string }) {
  return [{ value: '', label: all }, ...Object.entries(labels).map(([value, label]) => ({ value, label }))]
}

const blockedOptions = [
  { value: '', label: 'All statuses' },
  { value: 'active', label: 'Active' },
  { value: 'blocked', label: 'Inactive' },
  { value: 'deleted', label: 'Deleted' },
]

/** In place of deleted records: 'pods'. */
export function toNoDeletedText(records: string): string {
  return `No deleted ${records} here. What is deleted is kept, and can be restored from this list.`
}

/** Of records that can be blocked and deleted. */
export function BlockedFilter<V extends { status: unknown }>({ state }: { state: ListState<V> }) {
  return <ChoiceFilter state={state} name="status" label="Status" options={blockedOptions} />
}
