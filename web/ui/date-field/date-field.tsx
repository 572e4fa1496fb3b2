import { addDays } from '#web/lib/days.ts'
import { CalendarButton } from '../calendar/calendar-button.tsx'
import { FieldFrame, type FieldProps, useField } from '../field/field-frame.tsx'
import { useDayText } from './use-day-text.ts'

type DateFieldProps = FieldProps<string> & {
  label: string
  min?: string
  max?: string
  /** Returns 'YYYY-MM-DD'. */
  getToday: () => string
}

/** Field for a day, typed or picked. The value is 'YYYY-MM-DD', or '' while the text is not a day. */
export function DateField({ value = '', onChange, min, max, getToday, error, onBlur, ...props }: DateFieldProps) {
  const change = (day: string) => onChange?.(day)
  const findProblem = (day: string) => {
    if (min !== undefined && day < min) return `Choose ${min} or a later day.`
    if (max !== undefined && day > max) return `Choose ${max} or an earlier day.`
    return undefined
  }
  const { problem, input: typed } = useDayText({ value, onChange: change, findProblem })
  // A problem with the text says more than the form's error that there is no day.
  const { frame, input } = useField({ placeholder: 'YYYY-MM-DD', ...props, error: problem ?? error })
  const calendar = (
    <CalendarButton
      label="Choose a day"
      of={props.label}
      from={value}
      to={value}
      min={min}
      max={max}
      disabled={props.disabled}
      getToday={getToday}
      toChoices={toChoices}
      onChoose={change}
    />
  )
  return (
    <FieldFrame {...frame} end={calendar}>
      <input
        {...input}
        {...typed}
        onBlur={(event) => {
          typed.onBlur()
          onBlur?.(event)
        }}
      />
    </FieldFrame>
  )
}

function toChoices(today: string) {
  const tomorrow = addDays(today, 1)
  return [
    { label: 'Today', from: today, to: today },
    { label: 'Tomorrow', from: tomorrow, to: tomorrow },
  ]
}
