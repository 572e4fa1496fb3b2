import { type DateRange, DayPicker, type Modifiers } from 'react-day-picker'
import { IconChevronLeft, IconChevronRight } from '../icons/icons.tsx'
import styles from './calendar.module.css'

type CalendarProps = {
  /** 'YYYY-MM-DD', or '' for none. */
  from: string
  to: string
  today: string
  min?: string | undefined
  max?: string | undefined
  onPick: (day: string) => void
}

const MONDAY = 1

// The cast is safe: calendar.module.css has all of these classes.
const classNames = {
  root: styles.root,
  months: styles.months,
  month_caption: styles.caption,
  nav: styles.nav,
  button_previous: styles.step,
  button_next: styles.step,
  month_grid: styles.grid,
  weekday: styles.weekday,
  day: styles.day,
  day_button: styles.button,
  selected: styles.selected,
  range_start: styles.start,
  range_middle: styles.middle,
  range_end: styles.end,
  today: styles.today,
  outside: styles.outside,
  disabled: styles.disabled,
} as Record<string, string>

const components = {
  Chevron: ({ orientation }: { orientation?: 'up' | 'down' | 'left' | 'right' }) =>
    orientation === 'left' ? <IconChevronLeft /> : <IconChevronRight />,
}

const dayText = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })

const labels = {
  /** Contains the visible number, for voice control: ‘Today, Monday, November 30, 2026, selected’. */
  labelDayButton: (date: Date, { today, selected }: Modifiers) =>
    [today && 'Today', dayText.format(date), selected && 'selected'].filter(Boolean).join(', '),
}

/** A month whose days can be picked with the pointer or the arrow keys. */
export function Calendar({ from, to, today, min, max, onPick }: CalendarProps) {
  const selected: DateRange | undefined = from || to ? { from: toDate(from || to), to: toDate(to || from) } : undefined
  const disabled = [...(min ? [{ before: toDate(min) }] : []), ...(max ? [{ after: toDate(max) }] : [])]
  return (
    <DayPicker
      mode="range"
      selected={selected}
      onSelect={(_, day) => onPick(toDay(day))}
      defaultMonth={toDate(from || to || today)}
      today={toDate(today)}
      disabled={disabled}
      weekStartsOn={MONDAY}
      fixedWeeks
      showOutsideDays
      // Moves the focus into the calendar when it opens.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      classNames={classNames}
      components={components}
      labels={labels}
    />
  )
}

/** The library's days are Dates in the browser's time zone, of which only the day matters. */
function toDate(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date)
}

function toDay(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
