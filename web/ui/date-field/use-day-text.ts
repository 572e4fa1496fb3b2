import { useState } from 'react'
import { findDayProblem, isDay, parseDay } from '#web/lib/days.ts'

type DayTextOptions = {
  /** 'YYYY-MM-DD', or '' for none. */
  value: string
  onChange: (day: string) => void
  /** What is wrong with a day that exists, if anything is. */
  findProblem?: (day: string) => string | undefined
}

/**
 * The text of a day as it is typed. A whole day is told at once; anything else is judged when the field is left or Enter
 * pressed, and told as none: what stands in the field stays, with what is wrong with it.
 */
export function useDayText({ value, onChange, findProblem }: DayTextOptions) {
  const [text, setText] = useState(value)
  const [problem, setProblem] = useState<string>()
  const [told, setTold] = useState(value)
  const [shown, setShown] = useState(value)
  // Another value from outside (the calendar, the back button, a reset) replaces what stands here.
  if (value !== shown) {
    setShown(value)
    if (value !== told) {
      setTold(value)
      setText(value)
      setProblem(undefined)
    }
  }

  function tell(day: string) {
    setTold(day)
    if (day !== value) onChange(day)
  }

  function type(next: string) {
    setText(next)
    setProblem(undefined)
    const isEmpty = next.trim() === ''
    if (isEmpty || (isDay(next) && findProblem?.(next) === undefined)) tell(isEmpty ? '' : next)
  }

  function settle() {
    if (text.trim() === '') return
    const day = parseDay(text)
    const wrong = day === undefined ? findDayProblem(text) : findProblem?.(day)
    setProblem(wrong)
    if (wrong !== undefined || day === undefined) return tell('')
    setText(day)
    tell(day)
  }

  return {
    problem,
    input: {
      type: 'text',
      inputMode: 'numeric',
      autoComplete: 'off',
      maxLength: 20,
      value: text,
      onChange: (event: React.ChangeEvent<HTMLInputElement>) => type(event.currentTarget.value),
      onBlur: settle,
      onKeyDown: (event: React.KeyboardEvent) => {
        if (event.key === 'Enter') settle()
      },
    } as const,
  }
}
