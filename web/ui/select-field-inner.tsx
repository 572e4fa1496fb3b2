import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/ScrollArea.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { MultiSelect, Select } from '@mantine/core'
import { useMemo } from 'react'
import { fieldClassNames, takeActiveOption, takeMatch, toInputProps } from './library-field.ts'
import { NothingFound } from './nothing-found.tsx'
import type { MultiSelectFieldProps, SelectFieldProps } from './select-field.tsx'
import styles from './select-field-inner.module.css'

const dropdownClassNames = {
  dropdown: styles.dropdown ?? '',
  option: styles.option ?? '',
  empty: styles.empty ?? '',
}

const comboboxProps = { shadow: 'md', offset: 4, transitionProps: { duration: 0 } }

export function SelectInner({
  options,
  onChange,
  clearable = false,
  nothingFound = 'Nothing found',
  ...props
}: SelectFieldProps) {
  // A new list would put the reader back to its beginning.
  const data = useMemo(() => [...options], [options])
  const chosen = options.find((option) => option.value === props.value)?.label ?? ''
  return (
    <Select
      {...toInputProps(props)}
      onKeyDownCapture={(event) => (event.currentTarget.value === chosen ? takeActiveOption(event) : takeMatch(event))}
      classNames={{ ...fieldClassNames, ...dropdownClassNames }}
      data={data}
      onChange={(value) => onChange?.(value)}
      searchable
      clearable={clearable}
      nothingFoundMessage={<NothingFound>{nothingFound}</NothingFound>}
      checkIconPosition="right"
      comboboxProps={comboboxProps}
      clearButtonProps={{ 'aria-label': 'Clear' }}
    />
  )
}

export function MultiSelectInner({
  options,
  onChange,
  nothingFound = 'Nothing found',
  ...props
}: MultiSelectFieldProps) {
  const data = useMemo(() => [...options], [options])
  return (
    <MultiSelect
      {...toInputProps(props)}
      onKeyDownCapture={(event) => (event.currentTarget.value === '' ? takeActiveOption(event) : takeMatch(event))}
      classNames={{
        ...fieldClassNames,
        ...dropdownClassNames,
        input: styles.pillsInput ?? '',
        pill: styles.pill ?? '',
      }}
      data={data}
      onChange={(values) => onChange?.(values)}
      searchable
      hidePickedOptions
      nothingFoundMessage={<NothingFound>{nothingFound}</NothingFound>}
      comboboxProps={comboboxProps}
    />
  )
}
