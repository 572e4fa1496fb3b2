import { type CSSProperties, type ReactNode, useId, useState } from 'react'
import visuallyHidden from '../visually-hidden/visually-hidden.module.css'
import styles from './field-frame.module.css'

/** Props of every field. `form.getInputProps('name')` (form.ts) returns `value`, `onChange`, `error` and `onBlur`. */
export type FieldProps<Value> = {
  label: ReactNode
  value?: Value
  onChange?: (value: Value) => void
  error?: ReactNode
  hint?: ReactNode
  /** Shows the label only to screen readers, as in a line of filters. */
  hideLabel?: boolean
  required?: boolean
  disabled?: boolean
  placeholder?: string
  name?: string
  autoFocus?: boolean
  onBlur?: (event: React.FocusEvent<HTMLElement>) => void
  onFocus?: (event: React.FocusEvent<HTMLElement>) => void
}

type FrameProps = Pick<FieldProps<never>, 'label' | 'hideLabel' | 'error' | 'hint' | 'required'> & { id: string }

/** Splits a field's props into those of its frame and those of its input, which refer to each other by id. */
export function useField<Props extends Omit<FieldProps<never>, 'value' | 'onChange'>>(props: Props) {
  const id = useId()
  const { label, hideLabel = false, error, hint, required = false, autoFocus, ...rest } = props
  const describedBy = [hasWords(error) && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  const frame: FrameProps = { id, label, hideLabel, error, hint, required }
  const input = {
    ...rest,
    id,
    required,
    className: styles.input,
    'aria-invalid': Boolean(error) || undefined,
    'aria-describedby': describedBy || undefined,
    // A dialog looks for the attribute; elsewhere React handles the property.
    ...(autoFocus ? { 'data-autofocus': true, autoFocus } : {}),
  }
  return { frame, input }
}

type FieldFrameProps = FrameProps & {
  children: ReactNode
  /** Shown inside the input's box, before and after the text. */
  start?: ReactNode
  end?: ReactNode
  /** Width of `end` as a CSS length; by default as wide as high. */
  endWidth?: string
}

/** A label and an input, with a hint and an error. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, label, hideLabel, error, hint, required, start, end, endWidth, children } = props
  const style: CSSProperties | undefined = endWidth === undefined ? undefined : { '--end-width': endWidth }
  return (
    <div className={styles.root}>
      <label
        id={`${id}-label`}
        htmlFor={id}
        className={hideLabel ? visuallyHidden.hidden : styles.label}
        data-required={required || undefined}
      >
        {label}
      </label>
      {/* Forms have many fields, most of which need no wrapping element. */}
      {start || end ? (
        <div className={styles.control} style={style}>
          {start && <span className={styles.start}>{start}</span>}
          {children}
          {end && <span className={styles.end}>{end}</span>}
        </div>
      ) : (
        children
      )}
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {hasWords(error) && (
        <FieldError key={typeof error === 'string' ? error : undefined} inputId={id}>
          {error}
        </FieldError>
      )}
    </div>
  )
}

/** An alert if the field has the focus as it comes: nothing else says so then. Otherwise it is read with the field. */
function FieldError({ inputId, children }: { inputId: string; children: ReactNode }) {
  const [isAlert] = useState(() => document.activeElement?.id === inputId)
  return (
    <p id={`${inputId}-error`} className={styles.error} role={isAlert ? 'alert' : undefined}>
      {children}
    </p>
  )
}

/** Returns whether there is a message to show; `true` marks a field as invalid without one. */
function hasWords(error: ReactNode): boolean {
  return Boolean(error) && error !== true
}
