import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Combobox.css'
import { Select } from '@mantine/core'
import { useMemo } from 'react'
import {
  fieldClassNames,
  takeActiveOption,
  takeMatch,
  toInputProps,
  useChoices,
} from '../lookup-field/library-field.ts'
import { NothingFound } from '../lookup-field/nothing-found.tsx'
import type { SelectFieldProps } from './select-field.tsx'
import styles from './select-field-inner.module.css'

const dropdownClassNames = {
  dropdown: styles.dropdown ?? '',
  option: styles.option ?? '',
  options: styles.options ?? '',
  empty: styles.empty ?? '',
}

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
  const choices = useChoices()
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
      {...choices}
      clearButtonProps={{ 'aria-label': 'Clear' }}
    />
  )
}
