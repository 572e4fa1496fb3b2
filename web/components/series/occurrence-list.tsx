import { toMoneyText } from '#contract/money.ts'
import type { Occurrence } from '#contract/series.ts'
import { useDelayed } from '#web/lib/delayed.ts'
import { toCounted, toDateText, toWallTimeRange } from '#web/lib/format.ts'
import { Button } from '#web/ui/button/button.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { toFreePodText } from '../free-pod-words.ts'
import { type OccurrenceChoices, toOccurrenceKey } from './occurrence-choices.ts'
import styles from './occurrence-list.module.css'

/** Labels of the choices, which differ between new bookings and existing ones. */
export type ChoiceLabels = { skip: string; skipAll: string; take: string }

type OccurrenceListProps = {
  occurrences: readonly Occurrence[]
  /** Where an existing booking is now, if that is not where it is expected; by its key. */
  notes?: ReadonlyMap<string, string>
  choices: OccurrenceChoices
  /** Whether the bookings are paid for: then a choice of another pod says what the booking costs there. */
  isSold: boolean
  labels: ChoiceLabels
  /** Whether dates that are free can be skipped too, such as a public holiday. */
  maySkipFree?: boolean
  busy: boolean
  /** Saving was tried: missing choices are marked as errors. */
  tried: boolean
}

/** Lists the dates of a series. Those that are not free offer choices: skip, another time or pod (rules §29.9). */
export function OccurrenceList({ occurrences, notes, busy, ...shared }: OccurrenceListProps) {
  const { choices, labels } = shared
  const conflicts = choices.conflicts.length
  const skipped = choices.skippedFree.length
  // Announced only if it comes into an output that is already there.
  const isThere = useDelayed(true)
  return (
    <section aria-label="Dates of the series" aria-busy={busy}>
      <div className={styles.head}>
        <output>{isThere && toSummary(occurrences.length, conflicts, skipped)}</output>
        {conflicts > 0 && (
          <Button size="small" onClick={choices.skipAll}>
            {labels.skipAll}
          </Button>
        )}
      </div>
      <ul className={styles.dates}>
        {occurrences.map((occurrence) => (
          <DateOfSeries
            key={toOccurrenceKey(occurrence)}
            occurrence={occurrence}
            note={notes?.get(toOccurrenceKey(occurrence))}
            {...shared}
          />
        ))}
      </ul>
    </section>
  )
}

function toSummary(dates: number, conflicts: number, skipped: number): string {
  const free = conflicts > 0 ? `${conflicts} not free` : dates === 1 ? 'free' : 'all free'
  return `${toCounted(dates, 'date', 'dates')}, ${free}${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

type DateOfSeriesProps = { occurrence: Occurrence; note: string | undefined } & Pick<
  OccurrenceListProps,
  'choices' | 'isSold' | 'labels' | 'maySkipFree' | 'tried'
>

function DateOfSeries({ occurrence, note, choices, isSold, labels, maySkipFree, tried }: DateOfSeriesProps) {
  const { date, reasons, free } = occurrence
  const now = note !== undefined && <span className={styles.note}>Now {note}</span>
  const key = toOccurrenceKey(occurrence)
  if (reasons.length === 0) {
    const isSkipped = choices.isSkippedFree(occurrence)
    return (
      <li data-skipped={isSkipped || undefined}>
        <span className={styles.date}>{toDateText(date)}</span>
        <span className={styles.free}>{isSkipped ? 'Skipped' : 'Free'}</span>
        {now}
        {maySkipFree && (
          <Button
            size="small"
            variant="subtle"
            aria-label={isSkipped ? `Book ${date} after all` : `Skip ${date}`}
            onClick={() => choices.setSkippedFree(key, !isSkipped)}
          >
            {isSkipped ? 'Book' : 'Skip'}
          </Button>
        )}
      </li>
    )
  }
  const options = [
    { value: 'skip', label: labels.skip },
    ...free.times.map((time) => ({ value: time.startTime, label: `${labels.take} ${toWallTimeRange(time)}` })),
    ...free.pods.map((pod) => {
      const price = isSold && pod.price !== null ? `: ${toMoneyText(pod.price)}` : ''
      return { value: pod.podId, label: `${labels.take} ${toFreePodText(pod)}${price}` }
    }),
  ]
  const chosen = choices.getChosen(occurrence)
  const isKnown = options.some(({ value }) => value === chosen)
  return (
    <li>
      <span className={styles.date}>{toDateText(date)}</span>
      <span className={styles.taken}>{[...new Set(reasons.map(({ message }) => message))].join(' ')}</span>
      {now}
      <div className={styles.choice}>
        <NativeSelect
          label={`Instead of ${date}`}
          hideLabel
          size="small"
          placeholder="Choose what to do"
          options={options}
          value={isKnown ? (chosen ?? '') : ''}
          onChange={(choice) => choices.choose(key, choice)}
          error={tried && !isKnown && 'Choose one'}
        />
      </div>
    </li>
  )
}
