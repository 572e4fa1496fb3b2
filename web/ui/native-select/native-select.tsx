import { useId } from 'react'
import { IconSelector } from '../icons/icons.tsx'
import type { SelectOption } from '../select-field/select-field.tsx'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import styles from './native-select.module.css'

type NativeSelectProps = {
  label: string
  value: string
  onChange: (value: string) => void
  options: readonly SelectOption[]
  /** The label is read but not seen, as in a line of filters. */
  hideLabel?: boolean
  size?: 'small' | 'medium'
  disabled?: boolean
}

/** A handful of fixed choices, by the browser's own list: filters, rows per page. */
export function NativeSelect(props: NativeSelectProps) {
  const { label, value, onChange, options, hideLabel = false, size = 'medium', disabled = false } = props
  const id = useId()
  return (
    <div className={styles.root}>
      <label htmlFor={id} className={styles.label}>
        {hideLabel ? <VisuallyHidden>{label}</VisuallyHidden> : label}
      </label>
      <span className={styles.control} data-size={size}>
        <select id={id} value={value} disabled={disabled} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
        <IconSelector size={16} className={styles.icon} />
      </span>
    </div>
  )
}
