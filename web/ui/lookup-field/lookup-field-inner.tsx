import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { type ComboboxItem, type ComboboxParsedItem, MultiSelect, Select } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import selectStyles from '../select-field/select-field-inner.module.css'
import {
  fieldClassNames,
  isEnter,
  keepFromForm,
  takeActiveOption,
  takeFirstOption,
  takeMatch,
  toInputProps,
  useChoices,
} from './library-field.ts'
import { LookupFailure } from './lookup-failure.tsx'
import type { Lookup, LookupFieldProps, LookupOption, MultiLookupFieldProps } from './lookup-field.tsx'
import styles from './lookup-field-inner.module.css'
import { NothingFound } from './nothing-found.tsx'

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
  /** Enter was pressed after it. */
  isEntered: boolean
}

export function LookupInner(given: LookupFieldProps & Typed) {
  const { lookup, selected, clearable = false, typed, isEntered, ...props } = given
  const searching = useSearch(lookup, selected?.label, typed, isEntered)
  const shared = useDropdown(lookup, selected ? [selected] : [])
  const ref = useMergedRef(searching.ref, shared.ref)
  return (
    <div className={styles.root}>
      <Select
        {...toInputProps(props)}
        {...shared}
        {...searching}
        ref={ref}
        classNames={{ ...fieldClassNames, ...dropdownClassNames }}
        onChange={(value) => props.onChange?.(value)}
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

export function MultiLookupInner({ lookup, selected, typed, isEntered, ...props }: MultiLookupFieldProps & Typed) {
  const searching = useSearch(lookup, undefined, typed, isEntered)
  const shared = useDropdown(lookup, selected)
  const ref = useMergedRef(searching.ref, shared.ref)
  return (
    <div className={styles.root}>
      <MultiSelect
        {...toInputProps(props)}
        {...shared}
        {...searching}
        ref={ref}
        classNames={{
          ...fieldClassNames,
          ...dropdownClassNames,
          input: styles.pillsInput ?? '',
          pill: styles.pill ?? '',
        }}
        onChange={(values) => props.onChange?.(values)}
        searchable
        hidePickedOptions
      />
      <LookupFailure lookup={lookup} />
    </div>
  )
}

/**
 * What stands in the field, told on after a pause; the label of the chosen one is no search. Enter takes the first match:
 * it ends the pause and waits for what is found, so that it never takes a match of the words before.
 */
function useSearch(lookup: Lookup, chosenLabel: string | undefined, typed: string | undefined, isEntered: boolean) {
  const { onSearch, loading = false } = lookup
  const [search, setSearch] = useState(typed ?? chosenLabel ?? '')
  const [told, setTold] = useState(typed?.trim() ?? '')
  const isAwaited = useRef(isEntered)
  const [, redraw] = useState(0)
  const timer = useRef<number | undefined>(undefined)
  const input = useRef<HTMLInputElement>(null)
  const toQuery = (text: string) => (text === chosenLabel ? '' : text.trim())
  const isFound = toQuery(search) === told && !loading

  // The library empties the field as it comes: what was typed before that stays. A timer must not outlive the field.
  const isReady = useRef(false)
  useEffect(() => {
    isReady.current = true
    return () => {
      isReady.current = false
      window.clearTimeout(timer.current)
    }
  }, [])
  // The list of what was found is the library's own, and drawn a moment later where the field itself has just come.
  useEffect(() => {
    if (!isAwaited.current || !isFound) return
    let frame = requestAnimationFrame(take)
    function take() {
      const field = input.current
      const isLeft = field === null || field !== document.activeElement
      if (isLeft || takeFirstOption(field)) isAwaited.current = false
      else {
        // The library notes beside React which list is the field's: only a new drawing says it.
        redraw((drawn) => drawn + 1)
        frame = requestAnimationFrame(take)
      }
    }
    return () => cancelAnimationFrame(frame)
  }, [isFound])

  function tell(query: string) {
    window.clearTimeout(timer.current)
    setTold(query)
    onSearch(query)
  }
  function onSearchChange(text: string) {
    if (!isReady.current) return
    setSearch(text)
    if (text !== search) isAwaited.current = false
    const query = toQuery(text)
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => tell(query), query === '' ? 0 : SEARCH_DELAY_MS)
  }
  function onKeyDownCapture(event: KeyboardEvent<HTMLInputElement>) {
    const query = toQuery(search)
    if (query === '') return takeActiveOption(event)
    if (isFound) return takeMatch(event)
    if (!isEnter(event)) return
    keepFromForm(event)
    isAwaited.current = true
    if (query !== told) tell(query)
  }
  return { ref: input, searchValue: search, onSearchChange, onKeyDownCapture }
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
