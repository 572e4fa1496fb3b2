import { useId } from 'react'
import { addDays, toMonth } from '#web/lib/days.ts'
import { CalendarButton, type DayChoice } from '../calendar/calendar-button.tsx'
import { useDayText } from '../date-field/use-day-text.ts'
import styles from './date-filter.module.css'

type DateRangeFilterProps = {
  /** 'YYYY-MM-DD', or '' for none. Both days are inclusive. */
  from: string
  to: string
  onChange: (change: { from?: string; to?: string }) => void
  /** Returns 'YYYY-MM-DD'. */
  getToday: () => string
}

/** Filters a list by a range of days, typed or picked in one calendar. */
export function DateRangeFilter({ from, to, onChange, getToday }: DateRangeFilterProps) {
  const id = useId()
  const first = useDayText({
    value: from,
    onChange: (day) => onChange({ from: day }),
    findProblem: (day) => (to !== '' && day > to ? `It begins after ${to}, its last day.` : undefined),
  })
  const last = useDayText({
    value: to,
    onChange: (day) => onChange({ to: day }),
    findProblem: (day) => (from !== '' && day < from ? `It ends before ${from}, its first day.` : undefined),
  })
  const problem = first.problem ?? last.problem
  const toProps = ({ problem, input }: typeof first) => ({
    ...input,
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': problem === undefined ? undefined : id,
  })
  return (
    <div className={styles.root} data-wide>
      <div className={styles.range} data-invalid={problem !== undefined || undefined}>
        <input {...toProps(first)} className={styles.day} aria-label="From" placeholder="From" />
        <span className={styles.dash} aria-hidden>
          –
        </span>
        <input {...toProps(last)} className={styles.day} aria-label="To" placeholder="To" />
        <CalendarButton
          label="Choose days"
          from={from}
          to={to}
          isRange
          getToday={getToday}
          toChoices={toChoices}
          onChoose={(from, to) => onChange({ from, to })}
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

function toChoices(today: string): DayChoice[] {
  return [
    toDayChoice('Today', today),
    toDayChoice('Tomorrow', addDays(today, 1)),
    toDayChoice('Yesterday', addDays(today, -1)),
    { label: 'Next 7 days', from: today, to: addDays(today, 6) },
    { label: 'Last 7 days', from: addDays(today, -6), to: today },
    { label: 'This month', ...toMonth(today) },
    { label: 'Last month', ...toMonth(today, -1) },
  ]
}

function toDayChoice(label: string, day: string): DayChoice {
  return { label, from: day, to: day }
}
