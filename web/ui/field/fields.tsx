import { type HTMLInputAutoCompleteAttribute, type ReactNode, useState } from 'react'
import { IconAction } from '../button/button.tsx'
import { IconEye, IconEyeOff } from '../icons/icons.tsx'
import { FieldFrame, type FieldProps, useField } from './field-frame.tsx'

type TextFieldProps = FieldProps<string> & {
  type?: 'text' | 'email' | 'tel' | 'url' | 'search'
  autoComplete?: HTMLInputAutoCompleteAttribute
  inputMode?: 'text' | 'email' | 'tel' | 'url' | 'numeric' | 'decimal'
  spellCheck?: boolean
  leftIcon?: ReactNode
}

export function TextField({ leftIcon, onChange, ...props }: TextFieldProps) {
  const { frame, input } = useField(props)
  return (
    <FieldFrame {...frame} start={leftIcon}>
      <input {...input} onChange={(event) => onChange?.(event.currentTarget.value)} />
    </FieldFrame>
  )
}

type PasswordFieldProps = FieldProps<string> & { autoComplete?: 'current-password' | 'new-password' | 'off' }

/**
 * Its toggle is named after the field and what a press does, as a form may have several. Pressing it leaves the focus
 * where it was.
 */
export function PasswordField({ autoComplete = 'current-password', onChange, ...props }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const { frame, input } = useField(props)
  const name = typeof props.label === 'string' ? props.label.toLowerCase() : 'password'
  const toggle = (
    <IconAction
      size="small"
      label={`${shown ? 'Hide' : 'Show'} ${name}`}
      labelAsText
      icon={shown ? <IconEyeOff /> : <IconEye />}
      disabled={props.disabled ?? false}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => setShown(!shown)}
    />
  )
  return (
    <FieldFrame {...frame} end={toggle}>
      <input
        {...input}
        type={shown ? 'text' : 'password'}
        autoComplete={autoComplete}
        // While shown as dots the text is not checked anyway.
        spellCheck={shown ? false : undefined}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      />
    </FieldFrame>
  )
}

type TextAreaFieldProps = FieldProps<string> & { rows?: number }

export function TextAreaField({ rows = 3, onChange, ...props }: TextAreaFieldProps) {
  const { frame, input } = useField(props)
  return (
    <FieldFrame {...frame}>
      <textarea {...input} rows={rows} onChange={(event) => onChange?.(event.currentTarget.value)} />
    </FieldFrame>
  )
}
