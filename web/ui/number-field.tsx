import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/NumberInput.css'
import { NumberInput } from '@mantine/core'
import { type ReactNode } from 'react'
import { type FieldProps, toInputProps } from './fields.tsx'

type NumberFieldProps = FieldProps<number | string> & {
  min?: number
  max?: number
  step?: number
  decimalScale?: number
  prefix?: string
  suffix?: string
  leftSection?: ReactNode
}

/** A number, or '' while the field is empty; what was typed is never silently changed to the nearest allowed number. */
export function NumberField({ onChange, ...props }: NumberFieldProps) {
  return (
    <NumberInput
      {...toInputProps(props)}
      onChange={(value) => onChange?.(value)}
      clampBehavior="none"
      hideControls
      inputMode={props.decimalScale === 0 ? 'numeric' : 'decimal'}
    />
  )
}
