import { useId, useState } from 'react'
import styles from '../date-filter/date-filter.module.css'

type AmountRangeFilterProps = {
  /** '99.50', or '' for none. Both are inclusive. */
  min: string
  max: string
  onChange: (change: { min?: string; max?: string }) => void
}

const SHAPE = /^\d{1,10}([.,]\d{1,2})?$/

/** Filters a list by a range of amounts. Changes are reported when a field loses the focus or Enter is pressed. */
export function AmountRangeFilter({ min, max, onChange }: AmountRangeFilterProps) {
  const id = useId()
  const least = useAmountText(min, (min) => onChange({ min }))
  const most = useAmountText(max, (max) => onChange({ max }))
  const isReversed = min !== '' && max !== '' && Number(min) > Number(max)
  const problem = least.problem ?? most.problem ?? (isReversed ? 'The lowest amount is above the highest.' : undefined)
  const describe = (isWrong: boolean) => ({
    'aria-invalid': isWrong || undefined,
    'aria-describedby': isWrong ? id : undefined,
  })
  return (
    <div className={styles.root} data-wide>
      <div className={styles.range} data-invalid={problem !== undefined || undefined}>
        <input
          {...least.input}
          {...describe(least.problem !== undefined || isReversed)}
          className={styles.amount}
          aria-label="Lowest amount"
          placeholder="R from"
        />
        <span className={styles.dash} aria-hidden>
          –
        </span>
        <input
          {...most.input}
          {...describe(most.problem !== undefined || isReversed)}
          className={styles.amount}
          aria-label="Highest amount"
          placeholder="R to"
        />
      </div>
      {problem && (
        <p id={id} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

/** Holds the text of an amount while it is typed. Text that is not an amount stays in the field, with a message. */
function useAmountText(value: string, onChange: (amount: string) => void) {
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  const [problem, setProblem] = useState<string>()
  // A new value from outside (the back button, a reset) replaces the text.
  if (value !== shown) {
    setShown(value)
    setText(value)
    setProblem(undefined)
  }

  function settle() {
    const amount = text.replaceAll(/[\sR]/g, '').replace(',', '.')
    const isAmount = amount === '' || SHAPE.test(amount)
    setProblem(isAmount ? undefined : 'Write an amount such as 99.50.')
    if (!isAmount) return
    setText(amount)
    if (amount !== value) onChange(amount)
  }

  return {
    problem,
    input: {
      type: 'text',
      inputMode: 'decimal',
      autoComplete: 'off',
      maxLength: 20,
      value: text,
      onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
        setText(event.currentTarget.value)
        setProblem(undefined)
      },
      onBlur: settle,
      onKeyDown: (event: React.KeyboardEvent) => {
        if (event.key === 'Enter') settle()
      },
    } as const,
  }
}
