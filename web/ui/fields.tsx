import '@mantine/core/styles/Input.css'
import { Textarea, TextInput } from '@mantine/core'
import { type HTMLInputAutoCompleteAttribute, type ReactNode, useState } from 'react'
import { IconAction } from './button.tsx'
import styles from './fields.module.css'
import { IconEye, IconEyeOff } from './icons.tsx'

/** What every field takes. `value`/`onChange`/`error`/`onBlur` are what `form.getInputProps('name')` gives (form.ts). */
export type FieldProps<Value> = {
  label: ReactNode
  value?: Value
  onChange?: (value: Value) => void
  error?: ReactNode
  hint?: ReactNode
  required?: boolean
  disabled?: boolean
  placeholder?: string
  name?: string
  autoFocus?: boolean
  onBlur?: (event: React.FocusEvent<HTMLElement>) => void
  onFocus?: (event: React.FocusEvent<HTMLElement>) => void
}

/** What the library's inputs take; what is undefined is left out (exactOptionalPropertyTypes). Each field adds its onChange. */
export function toInputProps<Props extends Omit<FieldProps<never>, 'value' | 'onChange'>>(props: Props) {
  const { hint, autoFocus, ...rest } = props
  return {
    ...rest,
    ...(hint === undefined ? {} : { description: hint }),
    // A dialog looks for the attribute, a page for the property.
    ...(autoFocus ? { 'data-autofocus': true, autoFocus } : {}),
    classNames: fieldClassNames,
    inputWrapperOrder,
  }
}

const inputWrapperOrder: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

export const fieldClassNames = {
  root: styles.root ?? '',
  wrapper: styles.wrapper ?? '',
  label: styles.label ?? '',
  description: styles.hint ?? '',
  error: styles.error ?? '',
  input: styles.input ?? '',
}

type TextFieldProps = FieldProps<string> & {
  type?: 'text' | 'email' | 'tel' | 'url' | 'search'
  autoComplete?: HTMLInputAutoCompleteAttribute
  inputMode?: 'text' | 'email' | 'tel' | 'url' | 'numeric' | 'decimal'
  maxLength?: number
  spellCheck?: boolean
  leftIcon?: ReactNode
}

export function TextField({ leftIcon, onChange, ...props }: TextFieldProps) {
  return (
    <TextInput
      {...toInputProps(props)}
      {...(leftIcon ? { leftSection: leftIcon, leftSectionPointerEvents: 'none' as const } : {})}
      onChange={(event) => onChange?.(event.currentTarget.value)}
    />
  )
}

type PasswordFieldProps = FieldProps<string> & { autoComplete?: 'current-password' | 'new-password' | 'off' }

/** The toggle's name follows its state, and pressing it leaves the focus where it was. */
export function PasswordField({ autoComplete = 'current-password', onChange, ...props }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <TextInput
      {...toInputProps(props)}
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete}
      spellCheck={false}
      rightSectionPointerEvents="all"
      rightSection={
        <IconAction
          size="small"
          label={shown ? 'Hide password' : 'Show password'}
          icon={shown ? <IconEyeOff /> : <IconEye />}
          disabled={props.disabled ?? false}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => setShown(!shown)}
        />
      }
      onChange={(event) => onChange?.(event.currentTarget.value)}
    />
  )
}

type TextAreaFieldProps = FieldProps<string> & { rows?: number; maxLength?: number }

export function TextAreaField({ rows = 3, onChange, ...props }: TextAreaFieldProps) {
  return <Textarea {...toInputProps(props)} rows={rows} onChange={(event) => onChange?.(event.currentTarget.value)} />
}

type DateFieldProps = FieldProps<string> & { min?: string; max?: string }

/** 'YYYY-MM-DD', by the browser's own calendar. */
export function DateField({ onChange, ...props }: DateFieldProps) {
  return <TextInput {...toInputProps(props)} type="date" onChange={(event) => onChange?.(event.currentTarget.value)} />
}
