import type { ReactNode } from 'react'
import { FieldGroup } from '../field/field-group.tsx'
import styles from './checkbox-group.module.css'

type CheckboxGroupProps = {
  label: string
  options: readonly { value: string; label: string; hint?: string | undefined; disabled?: boolean }[]
  value: readonly string[]
  onChange: (value: string[]) => void
  error?: ReactNode
  hint?: ReactNode
  columns?: 1 | 2 | 3
}

/** Field to choose several of a few options, all of them visible. The value keeps the order of the options. */
export function CheckboxGroup({ label, options, value, onChange, error, hint, columns = 2 }: CheckboxGroupProps) {
  const toggle = (changed: string, checked: boolean) =>
    onChange(
      options.map((option) => option.value).filter((known) => (known === changed ? checked : value.includes(known))),
    )
  return (
    <FieldGroup label={label} hint={hint} error={error}>
      <div className={styles.options} data-columns={columns}>
        {options.map((option) => (
          <label key={option.value} className={styles.option} data-disabled={option.disabled || undefined}>
            <input
              type="checkbox"
              checked={value.includes(option.value)}
              disabled={option.disabled}
              onChange={(event) => toggle(option.value, event.currentTarget.checked)}
            />
            <span>
              {option.label}
              {option.hint && <span className={styles.hint}> {option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </FieldGroup>
  )
}
