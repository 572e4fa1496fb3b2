import { type ReactNode, useId } from 'react'
import styles from './field-group.module.css'

type FieldGroupProps = { label: string; hint?: ReactNode; error?: ReactNode; children: ReactNode }

/** Several controls under one heading, with a hint and an error. */
export function FieldGroup({ label, hint, error, children }: FieldGroupProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <fieldset
      className={styles.group}
      data-error={Boolean(error) || undefined}
      aria-describedby={describedBy || undefined}
    >
      <legend className={styles.legend}>{label}</legend>
      {children}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
