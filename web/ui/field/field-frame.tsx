import { type CSSProperties, type ReactNode, useId } from 'react'
import styles from './field-frame.module.css'

/** What every field takes. `value`/`onChange`/`error`/`onBlur` are what `form.getInputProps('name')` gives (form.ts). */
export type FieldProps<Value> = {
  label: ReactNode
  value?: Value
  onChange?: (value: Value) => void
  error?: ReactNode
  hint?: ReactNode
  /** The label is read but not seen, as in a line of filters. */
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

/** Parts a field's props into those of its frame and those of the input in it, which the two name each other by. */
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
    // A dialog looks for the attribute, a page for the property.
    ...(autoFocus ? { 'data-autofocus': true, autoFocus } : {}),
  }
  return { frame, input }
}

type FieldFrameProps = FrameProps & {
  children: ReactNode
  /** In the input's own box, before and after what is typed. */
  start?: ReactNode
  end?: ReactNode
  /** CSS length; as wide as high without it. */
  endWidth?: string
}

/** A label, an input, what helps to fill it in and what is wrong with it. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, label, hideLabel, error, hint, required, start, end, endWidth, children } = props
  const style: CSSProperties | undefined = endWidth === undefined ? undefined : { '--end-width': endWidth }
  return (
    <div className={styles.root}>
      <label
        id={`${id}-label`}
        htmlFor={id}
        className={styles.label}
        data-hidden={hideLabel || undefined}
        data-required={required || undefined}
      >
        {label}
      </label>
      {/* A form has many fields: most need no box of their own. */}
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
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}

/** `true` marks a field without saying why. */
function hasWords(error: ReactNode): boolean {
  return Boolean(error) && error !== true
}
