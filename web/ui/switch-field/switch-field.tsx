import { type ReactNode, useId } from 'react'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import styles from './switch-field.module.css'

type SwitchFieldProps = {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  hint?: ReactNode
  disabled?: boolean
  /** Shows the label only to screen readers. */
  hideLabel?: boolean
}

export function SwitchField({ label, checked, onChange, hint, disabled = false, hideLabel = false }: SwitchFieldProps) {
  const hintId = useId()
  return (
    <div className={styles.root}>
      <label className={styles.label}>
        <input
          type="checkbox"
          role="switch"
          className={styles.switch}
          checked={checked}
          aria-checked={checked}
          disabled={disabled}
          aria-describedby={hint === undefined ? undefined : hintId}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {hideLabel ? <VisuallyHidden>{label}</VisuallyHidden> : label}
      </label>
      {hint !== undefined && (
        <p id={hintId} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}
