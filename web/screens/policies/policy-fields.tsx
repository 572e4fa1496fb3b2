import { type ReactNode, useState } from 'react'
import { Button, IconAction } from '#web/ui/button/button.tsx'
import { IconPlus, IconTrash } from '#web/ui/icons/icons.tsx'
import { NumberField } from '#web/ui/number-field/number-field.tsx'
import styles from './policies.module.css'
import { MOST_BRACKETS, type PolicyValues, toPolicy } from './policy-values.ts'
import { RefundExample } from './refund-example.tsx'

type PolicyFieldsProps = {
  value: PolicyValues
  onChange: (value: PolicyValues) => void
  /** Errors by the server's path of the field. */
  errors: Readonly<Record<string, ReactNode>>
}

/** Brackets and fee of a cancellation policy, with an example of a refund. */
export function PolicyFields({ value, onChange, errors }: PolicyFieldsProps) {
  const { brackets, fee } = value
  const [added, setAdded] = useState(0)
  const setBrackets = (next: PolicyValues['brackets']) => onChange({ ...value, brackets: next })
  const errorOf = (path: string) => errors[`cancelPolicy.${path}`]

  function add() {
    setAdded(added + 1)
    setBrackets([...brackets, { key: `new ${added}`, hoursBefore: '', percent: '' }])
  }

  return (
    <>
      <fieldset className={styles.brackets}>
        <legend>Brackets</legend>
        {brackets.length === 0 && <p className={styles.hint}>Nothing is ever given back.</p>}
        {brackets.length > 0 && (
          <div className={styles.bracketHead} aria-hidden>
            <span>Hours before the start, or more</span>
            <span>Given back</span>
          </div>
        )}
        {brackets.map((bracket, index) => {
          const set = (change: Partial<typeof bracket>) =>
            setBrackets(brackets.map((one) => (one === bracket ? { ...one, ...change } : one)))
          return (
            <div key={bracket.key} className={styles.bracket}>
              <NumberField
                label={`Hours before the start, ${index + 1}`}
                hideLabel
                min={0}
                suffix=" h"
                value={bracket.hoursBefore}
                // oxlint-disable-next-line jsx-a11y/no-autofocus -- only a row that was just added is empty
                autoFocus={bracket.hoursBefore === ''}
                onChange={(hoursBefore) => set({ hoursBefore })}
                error={errorOf(`brackets.${index}.hoursBefore`)}
              />
              <NumberField
                label={`Per cent given back, ${index + 1}`}
                hideLabel
                min={0}
                decimalScale={0}
                suffix=" %"
                value={bracket.percent}
                onChange={(percent) => set({ percent })}
                error={errorOf(`brackets.${index}.percent`)}
              />
              <IconAction
                label={`Remove bracket ${index + 1}`}
                icon={<IconTrash />}
                onClick={() => setBrackets(brackets.filter((one) => one !== bracket))}
              />
            </div>
          )
        })}
        {errors.cancelPolicy !== undefined && (
          <p className={styles.error} role="alert">
            {errors.cancelPolicy}
          </p>
        )}
        <div>
          <Button size="small" icon={<IconPlus size={14} />} disabled={brackets.length >= MOST_BRACKETS} onClick={add}>
            Add bracket
          </Button>
        </div>
      </fieldset>
      <NumberField
        label="Fee kept of every refund"
        min={0}
        decimalScale={2}
        suffix=" ZAR"
        value={fee}
        onChange={(next) => onChange({ ...value, fee: next })}
        error={errorOf('fee')}
      />
      <RefundExample policy={toPolicy(value)} />
    </>
  )
}
