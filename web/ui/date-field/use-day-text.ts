import { useState } from 'react'
import { findDayProblem, isDay, parseDay } from '#web/lib/days.ts'

type DayTextOptions = {
  /** 'YYYY-MM-DD', or '' for none. */
  value: string
  onChange: (day: string) => void
  /** Returns what is wrong with a valid day, if anything. */
  findProblem?: (day: string) => string | undefined
}

/**
 * Holds the text of a day while it is typed. A complete day is reported at once. Anything else is parsed when the field
 * loses the focus or Enter is pressed; if it is not an allowed day, '' is reported and the text stays, with a message.
 */
export function useDayText({ value, onChange, findProblem }: DayTextOptions) {
  const [text, setText] = useState(value)
  const [problem, setProblem] = useState<string>()
  const [told, setTold] = useState(value)
  const [shown, setShown] = useState(value)
  // A new value from outside (the calendar, the back button, a reset) replaces the text.
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
