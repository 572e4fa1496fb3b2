import type { Selection, SlotRules } from '#contract/slot-selection.ts'
import { marks, toClockLabel } from '#contract/slots.ts'
import styles from './day-strip.module.css'

type State = 'free' | 'taken' | 'cleaning' | 'closed' | 'passed' | 'chosen'
type Span = { state: State; words: string; from: string; to: string; slots: number }

/** The pod's day at a glance: taken, free and chosen times. The dialog of time slots offers the same by keyboard. */
export function DayStrip({ rules, selection }: { rules: SlotRules; selection: Selection }) {
  const spans = listSpans(rules, selection)
  const kept = notFree.flatMap(({ state, title }) => {
    const ranges = spans.filter((span) => span.state === state).map(toRange)
    return ranges.length === 0 ? [] : `${title}: ${ranges.join(', ')}.`
  })
  return (
    <figure className={styles.figure}>
      <div className={styles.strip} aria-hidden>
        {spans.map(({ state, words, from, to, slots }) => (
          <span
            key={from}
            className={styles.span}
            data-state={state}
            style={{ flexGrow: slots }}
            title={`${toRange({ from, to })}: ${words}`}
          />
        ))}
      </div>
      <div className={styles.hours} aria-hidden>
        {['06:00', '12:00', '18:00', '24:00'].map((mark) => (
          <span key={mark}>{toClockLabel(mark)}</span>
        ))}
      </div>
      <figcaption className={styles.caption}>{kept.join(' ') || 'Nothing is taken on this day.'}</figcaption>
    </figure>
  )
}

const toRange = ({ from, to }: Pick<Span, 'from' | 'to'>) => `${toClockLabel(from)} - ${toClockLabel(to)}`

const words: Record<State, string> = {
  free: 'free',
  taken: 'booked',
  cleaning: 'cleaning',
  closed: 'closed',
  passed: 'passed',
  chosen: 'chosen',
}

const notFree = [
  { state: 'taken', title: 'Taken' },
  { state: 'cleaning', title: 'Cleaning' },
  { state: 'closed', title: 'Closed' },
] as const

/** Returns the state for the server's reason. Anything that is neither booked nor being cleaned is closed. */
function toTakenState(reason: string | undefined): State {
  if (reason === undefined || reason === 'Booked') return 'taken'
  return reason === 'Cleaning' ? 'cleaning' : 'closed'
}

/** Returns the day's slots, with neighbours of the same state merged. */
function listSpans(rules: SlotRules, selection: Selection): Span[] {
  const [first = '', last = ''] = [selection[0], selection.at(-1)]
  const spans: Span[] = []
  for (const [index, mark] of marks.slice(0, -1).entries()) {
    const state: State = rules.booked.has(mark)
      ? toTakenState(rules.reasons?.[mark])
      : mark >= first && mark < last
        ? 'chosen'
        : rules.isPassed(mark)
          ? 'passed'
          : 'free'
    const to = marks[index + 1] ?? mark
    const before = spans.at(-1)
    if (before?.state === state) Object.assign(before, { to, slots: before.slots + 1 })
    else spans.push({ state, words: words[state], from: mark, to, slots: 1 })
  }
  return spans
}
