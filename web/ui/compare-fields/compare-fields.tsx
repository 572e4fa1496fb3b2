import { type ReactNode, useEffect, useId, useRef } from 'react'
import group from '../field/field-group.module.css'
import styles from './compare-fields.module.css'

export type ComparedField = {
  name: string
  label: string
  yours: ReactNode
  theirs: ReactNode
  /** Undefined until the person has chosen. */
  choice: 'yours' | 'theirs' | undefined
  error?: string | undefined
}

export type CompareFieldsProps = {
  fields: readonly ComparedField[]
  onChoose: (name: string, choice: 'yours' | 'theirs') => void
}

/** Compares two people's versions of a record field by field, to choose one of them for each. */
export function CompareFields({ fields, onChoose }: CompareFieldsProps) {
  const intro = useRef<HTMLParagraphElement>(null)
  // Takes over the focus from the fields, which this replaces.
  useEffect(() => intro.current?.focus(), [])
  return (
    <>
      <p ref={intro} className={styles.intro} tabIndex={-1} role="alert">
        Somebody else has changed this while you had it open. Nothing of yours is lost: choose what to keep, then save.
      </p>
      {fields.map((field) => (
        <ComparedFieldset key={field.name} field={field} onChoose={(choice) => onChoose(field.name, choice)} />
      ))}
    </>
  )
}

type FieldsetProps = { field: ComparedField; onChoose: (choice: 'yours' | 'theirs') => void }

function ComparedFieldset({ field, onChoose }: FieldsetProps) {
  const id = useId()
  const { label, choice, error } = field
  return (
    <fieldset
      className={group.group}
      role="radiogroup"
      aria-required
      aria-invalid={error !== undefined || undefined}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <legend className={group.legend}>{label}</legend>
      <div className={styles.choices}>
        {(['yours', 'theirs'] as const).map((whose) => (
          <label key={whose} className={styles.choice}>
            <input type="radio" name={id} checked={choice === whose} onChange={() => onChoose(whose)} />
            <span className={styles.whose}>{whose === 'yours' ? 'Yours' : 'Theirs'}</span>
            <span className={styles.value}>{field[whose]}</span>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} className={group.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
