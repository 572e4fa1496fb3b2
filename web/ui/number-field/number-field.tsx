import { type ClipboardEvent, useState } from 'react'
import { FieldFrame, type FieldProps, useField } from '../field/field-frame.tsx'
import styles from './number-field.module.css'

type NumberFieldProps = FieldProps<number | string> & {
  /** From 0 on a phone shows its number pad, which has no minus. Nothing is refused here: that is the form's to say. */
  min?: number
  /** 0 for whole numbers. */
  decimalScale?: number
  /** The unit, after the number. */
  suffix?: string
  onPaste?: (event: ClipboardEvent) => void
}

/** What was typed as a number; text that is none (and '') stays as it is, for the form to refuse. A comma is a point. */
export function parseNumberText(text: string): number | string {
  const trimmed = text.trim()
  return /^[-+]?(\d+([.,]\d*)?|[.,]\d+)$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : trimmed
}

/** A number, or what was typed when it is none; '' while the field is empty. */
export function NumberField({ value = '', onChange, min, decimalScale, suffix, ...props }: NumberFieldProps) {
  const [text, setText] = useState(String(value))
  // '2.' on its way to '2.5' is 2 already: only another value from outside replaces what stands here.
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
