import { useId, useState } from 'react'
import styles from '../date-filter/date-filter.module.css'

type AmountRangeFilterProps = {
  /** '99.50', or '' for none; both belong to the range. */
  min: string
  max: string
  onChange: (change: { min?: string; max?: string }) => void
}

const SHAPE = /^\d{1,10}([.,]\d{1,2})?$/

/** The amounts that narrow a list, in the line of filters; told on when a field is left or Enter pressed. */
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
    <div className={styles.root}>
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

/** The text of an amount as it is typed; what is no amount stays in the field, with what is wrong with it. */
function useAmountText(value: string, onChange: (amount: string) => void) {
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  const [problem, setProblem] = useState<string>()
  // Another value from outside (the back button, a reset) replaces what stands here.
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
