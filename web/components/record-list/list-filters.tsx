import type { ReactNode } from 'react'
import { FilterBar } from '#web/ui/filter-bar/filter-bar.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import type { ListState } from './use-list-state.ts'

type ListFiltersProps<V> = {
  state: ListState<V>
  /** The label of the search: 'Search pods'. */
  label: string
  placeholder?: string
  /** Shows a button that clears the search and the filters. */
  clearable?: boolean
  note?: ReactNode
  children?: ReactNode
}

/** The search of a list, with the given filters beside it. */
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
  /** The name of the value that it sets. */
  name: keyof V & string
  label: string
  options: readonly { value: string; label: string }[]
}

/** Filter with a handful of choices. */
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

/** Returns an option for each label, after one for all of them. */
export function toChoices(all: string, labels: { readonly [value: string]: string }) {
  return [{ value: '', label: all }, ...Object.entries(labels).map(([value, label]) => ({ value, label }))]
}

const blockedOptions = toChoices('All statuses', { active: 'Active', blocked: 'Inactive', deleted: 'Deleted' })

/** Returns the text for an empty list of deleted records; `records` is their noun in the plural: 'pods'. */
export function toNoDeletedText(records: string): string {
  return `No deleted ${records} here. What is deleted is kept, and can be restored from this list.`
}

/** Status filter for records that can be blocked and deleted. */
export function BlockedFilter<V extends { status: unknown }>({ state }: { state: ListState<V> }) {
  return <ChoiceFilter state={state} name="status" label="Status" options={blockedOptions} />
}
