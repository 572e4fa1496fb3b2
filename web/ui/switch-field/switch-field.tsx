import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Switch.css'
import { Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './switch-field.module.css'

type SwitchFieldProps = {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  hint?: ReactNode
  disabled?: boolean
  /** The label is read but not seen. */
  hideLabel?: boolean
}

export function SwitchField({ label, checked, onChange, hint, disabled = false, hideLabel = false }: SwitchFieldProps) {
  return (
    <Switch
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
      disabled={disabled}
      withThumbIndicator={false}
      {...(hideLabel ? { 'aria-label': label } : { label })}
      {...(hint === undefined ? {} : { description: hint })}
      classNames={{ track: styles.track ?? '', label: styles.label ?? '', description: styles.hint ?? '' }}
    />
  )
}
