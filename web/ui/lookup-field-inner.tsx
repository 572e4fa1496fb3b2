import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { type ComboboxItem, type ComboboxParsedItem, MultiSelect, Select } from '@mantine/core'
import { useEffect, useMemo, useRef, useState } from 'react'
import { classNames } from './class-names.ts'
import { fieldClassNames, toInputProps, useChoices } from './library-field.ts'
import { LookupFailure } from './lookup-failure.tsx'
import type { Lookup, LookupFieldProps, LookupOption, MultiLookupFieldProps } from './lookup-field.tsx'
import styles from './lookup-field-inner.module.css'
import { NothingFound } from './nothing-found.tsx'
import selectStyles from './select-field-inner.module.css'

const SEARCH_DELAY_MS = 200

const dropdownClassNames = {
  dropdown: classNames(selectStyles.dropdown, styles.dropdown),
  option: selectStyles.option ?? '',
  options: selectStyles.options ?? '',
  empty: selectStyles.empty ?? '',
}
type Typed = {
  /** What was typed before this was there. */
  typed: string | undefined
}

export function LookupInner({ lookup, selected, clearable = false, typed, ...props }: LookupFieldProps & Typed) {
  const { search, onSearchChange } = useSearch(lookup.onSearch, selected?.label, typed)
  const shared = useDropdown(lookup, selected ? [selected] : [])
  return (
    <div className={styles.root}>
      <Select
        {...toInputProps(props)}
        {...shared}
        classNames={{ ...fieldClassNames, ...dropdownClassNames }}
        onChange={(value) => props.onChange?.(value)}
        searchValue={search}
        onSearchChange={onSearchChange}
        searchable
        clearable={clearable}
        clearButtonProps={{ 'aria-label': 'Clear' }}
        allowDeselect={false}
        checkIconPosition="right"
      />
      <LookupFailure lookup={lookup} />
    </div>
  )
}

export function MultiLookupInner({ lookup, selected, typed, ...props }: MultiLookupFieldProps & Typed) {
  const { search, onSearchChange } = useSearch(lookup.onSearch, undefined, typed)
  const shared = useDropdown(lookup, selected)
  return (
    <div className={styles.root}>
      <MultiSelect
        {...toInputProps(props)}
        {...shared}
        classNames={{
          ...fieldClassNames,
          ...dropdownClassNames,
          input: styles.pillsInput ?? '',
          pill: styles.pill ?? '',
        }}
        onChange={(values) => props.onChange?.(values)}
        searchValue={search}
        onSearchChange={onSearchChange}
        searchable
        hidePickedOptions
      />
      <LookupFailure lookup={lookup} />
    </div>
  )
}

/** What stands in the field, told on after a pause; the label of the chosen one is no search. */
function useSearch(onSearch: (text: string) => void, chosenLabel: string | undefined, typed: string | undefined) {
  const [search, setSearch] = useState(typed ?? chosenLabel ?? '')
  const timer = useRef<number | undefined>(undefined)
  // A timer must not outlive the field.
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const onSearchChange = (text: string) => {
    setSearch(text)
    window.clearTimeout(timer.current)
    const query = text === chosenLabel ? '' : text.trim()
    timer.current = window.setTimeout(() => onSearch(query), query === '' ? 0 : SEARCH_DELAY_MS)
  }
  return { search, onSearchChange }
}

function useDropdown(lookup: Lookup, selected: readonly LookupOption[]) {
  const { options, loading = false, problem, nothingFound = 'Nothing found', more, onOpen } = lookup
  const choices = useChoices()
  const all = useMemo(() => {
    const found = new Set(options.map((option) => option.value))
    return [...options, ...selected.filter((option) => !found.has(option.value))]
  }, [options, selected])
  const byValue = useMemo(() => new Map(all.map((option) => [option.value, option])), [all])
  const data = useMemo(() => {
    const items = all.map(({ value, label }) => ({ value, label }))
    return more === undefined || items.length === 0 ? items : [{ group: more, items }]
  }, [all, more])
  // The search was done elsewhere: all that it found is shown, and of the chosen ones only those among it.
  const isFound = (item: ComboboxItem) => options.some((option) => option.value === item.value)
  return {
    data,
    filter: ({ options: items }: { options: ComboboxParsedItem[] }) =>
      items.flatMap((item): ComboboxParsedItem[] => {
        if ('group' in item) return [{ ...item, items: item.items.filter(isFound) }]
        return isFound(item) ? [item] : []
      }),
    renderOption: ({ option: { value, label } }: { option: ComboboxItem }) => (
      <OptionWords option={byValue.get(value) ?? { value, label }} />
    ),
    nothingFoundMessage: (
      <NothingFound>{problem ? 'The choices could not be loaded.' : loading ? 'Loading…' : nothingFound}</NothingFound>
    ),
    ...(onOpen && { onDropdownOpen: onOpen }),
    // Under the field may stand what failed, and its Retry, which must not be covered.
    ...choices,
    comboboxProps: {
      ...choices.comboboxProps,
      keepMounted: false,
      // As a dropdown may be wider than its field.
      position: problem ? ('top-start' as const) : ('bottom-start' as const),
    },
  }
}

function OptionWords({ option: { label, detail, picture } }: { option: LookupOption }) {
  return (
    <span className={styles.option}>
      {picture}
      <span className={styles.words}>
        <span className={styles.label} title={label}>
          {label}
        </span>
        {detail && (
          <span className={styles.detail} title={detail}>
            {detail}
          </span>
        )}
      </span>
    </span>
  )
}
