import { useEffect, useState } from 'react'
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
  const [isSettled, setSettled] = useState(false)
  const [told, setTold] = useState(value)
  const [shown, setShown] = useState(value)
  // A new value from outside (the calendar, the back button, a reset) replaces the text.
  if (value !== shown) {
    setShown(value)
    if (value !== told) {
      setTold(value)
      setText(value)
      setSettled(false)
    }
  }

  const day = parseDay(text)
  const isEmpty = text.trim() === ''
  const wrong = day === undefined ? findDayProblem(text) : findProblem?.(day)
  const problem = isSettled && !isEmpty ? wrong : undefined

  // A day that was refused may be allowed by now: the other end of a range has changed since.
  useEffect(() => {
    if (isSettled && day !== undefined && wrong === undefined && day !== told) accept(day)
  })

  function accept(allowed: string) {
    setText(allowed)
    tell(allowed)
  }

  function tell(day: string) {
    setTold(day)
    if (day !== value) onChange(day)
  }

  function type(next: string) {
    setText(next)
    setSettled(false)
    if (next.trim() === '') tell('')
    else if (isDay(next) && findProblem?.(next) === undefined) tell(next)
  }

  function settle() {
    if (isEmpty) return
    setSettled(true)
    if (wrong !== undefined || day === undefined) tell('')
    else accept(day)
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
