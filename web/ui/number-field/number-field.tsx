import { type ClipboardEvent, useState } from 'react'
import { FieldFrame, type FieldProps, useField } from '../field/field-frame.tsx'
import styles from './number-field.module.css'

type NumberFieldProps = FieldProps<number | string> & {
  /** From 0 on, phones show a number pad, which has no minus. Values are not checked here: that is up to the form. */
  min?: number
  /** 0 for whole numbers. */
  decimalScale?: number
  /** The unit, shown after the number. */
  suffix?: string
  onPaste?: (event: ClipboardEvent) => void
}

/** Parses a number with a decimal point or comma. Returns any other text, and '', trimmed, for the form to refuse. */
export function parseNumberText(text: string): number | string {
  const trimmed = text.trim()
  return /^[-+]?(\d+([.,]\d*)?|[.,]\d+)$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : trimmed
}

/** Field for a number. The value is the typed text if that is not a number, and '' while the field is empty. */
export function NumberField({ value = '', onChange, min, decimalScale, suffix, ...props }: NumberFieldProps) {
  const [text, setText] = useState(String(value))
  // '2.' on its way to '2.5' already equals 2: only a different value from outside replaces the text.
  if (parseNumberText(text) !== parseNumberText(String(value))) setText(String(value))
  const pad = decimalScale === 0 ? 'numeric' : 'decimal'
  const { frame, input } = useField(props)
  const unit = suffix?.trim()
  return (
    <FieldFrame
      {...frame}
      {...(unit && {
        end: <span className={styles.suffix}>{unit}</span>,
        endWidth: `calc(${unit.length}ch + 2 * var(--space-3))`,
      })}
    >
      <input
        {...input}
        value={text}
        inputMode={min !== undefined && min >= 0 ? pad : 'text'}
        autoComplete="off"
        onChange={(event) => {
          setText(event.currentTarget.value)
          onChange?.(parseNumberText(event.currentTarget.value))
        }}
      />
    </FieldFrame>
  )
}
