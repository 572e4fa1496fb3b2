import type { Occurrence } from '#contract/series.ts'
import { toDateText, toWallTimeRange } from '#web/lib/format.ts'
import { Button } from '#web/ui/button/button.tsx'
import { CheckboxGroup } from '#web/ui/checkbox-group/checkbox-group.tsx'
import { DateField } from '#web/ui/date-field/date-field.tsx'
import { FieldRow } from '#web/ui/form-modal/form-modal.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { Spinner } from '#web/ui/spinner/spinner.tsx'
import { ErrorState } from '#web/ui/state-messages/state-messages.tsx'
import { SwitchField } from '#web/ui/switch-field/switch-field.tsx'
import styles from './repeat-fields.module.css'
import { dayNames, type Repeats, type useSeries } from './repeats.ts'

const everyOptions = [1, 2, 3, 4].map((weeks) => ({
  value: String(weeks),
  label: weeks === 1 ? 'Every week' : `Every ${weeks} weeks`,
}))

type RepeatFieldsProps = {
  /** Undefined of a single booking. */
  value: Repeats | undefined
  onToggle: (isOn: boolean) => void
  onChange: (value: Repeats) => void
  series: ReturnType<typeof useSeries>
  /** The first date: none lies before it. */
  date: string
  findToday: () => string
  tried: boolean
  errors: Readonly<Record<string, string | undefined>>
}

/** A series: how it repeats, and what becomes of each date that is not free (rules §29.9). */
export function RepeatFields(props: RepeatFieldsProps) {
  const { value, onToggle, onChange, series, date, findToday, tried, errors } = props
  return (
    <>
      <SwitchField label="Repeat" checked={value !== undefined} onChange={onToggle} />
      {value && (
        <>
          <CheckboxGroup
            label="On"
            columns={3}
            options={dayNames.map((day) => Object.assign({}, day))}
            value={value.weekdays}
            onChange={(days) =>
              onChange({ ...value, weekdays: dayNames.flatMap((day) => (days.includes(day.value) ? [day.value] : [])) })
            }
            error={value.weekdays.length === 0 && 'Choose at least one weekday'}
          />
          <FieldRow>
            <NativeSelect
              label="How often"
              options={everyOptions}
              value={String(value.everyWeeks)}
              onChange={(weeks) => onChange({ ...value, everyWeeks: Number(weeks) })}
            />
            <DateField
              label="Until"
              required
              min={date}
              findToday={findToday}
              value={value.until}
              onChange={(until) => onChange({ ...value, until })}
              error={errors['repeats.until'] ?? (tried && value.until === '' && 'Until is required')}
            />
          </FieldRow>
          <Preview series={series} tried={tried} />
        </>
      )}
    </>
  )
}

function Preview({ series, tried }: Pick<RepeatFieldsProps, 'series' | 'tried'>) {
  const { occurrences, preview } = series
  if (preview.error) {
    return <ErrorState problem={toProblem(preview.error)} onRetry={() => void preview.refetch()} />
  }
  if (!occurrences) {
    return (
      <p className={styles.hint}>
        {preview.isFetching ? <Spinner /> : 'Choose a pod, the times and the last date to see every booking.'}
      </p>
    )
  }
  const conflicts = occurrences.filter(({ reasons }) => reasons.length > 0).length
  return (
    <section aria-label="Dates of the series" aria-busy={preview.isFetching}>
      <div className={styles.head}>
        <output>
          {occurrences.length} {occurrences.length === 1 ? 'date' : 'dates'}, {conflicts} not free
        </output>
        {conflicts > 0 && (
          <Button size="small" onClick={series.skipAll}>
            Skip all that are not free
          </Button>
        )}
      </div>
      <ul className={styles.dates}>
        {occurrences.map((occurrence) => (
          <DateOfSeries key={occurrence.date} occurrence={occurrence} series={series} tried={tried} />
        ))}
      </ul>
    </section>
  )
}

type DateOfSeriesProps = { occurrence: Occurrence } & Pick<RepeatFieldsProps, 'series' | 'tried'>

function DateOfSeries({ occurrence, series, tried }: DateOfSeriesProps) {
  const { date, reasons, free } = occurrence
  if (reasons.length === 0) {
    return (
      <li>
        <span className={styles.date}>{toDateText(date)}</span>
        <span className={styles.free}>Free</span>
      </li>
    )
  }
  const options = [
    { value: 'skip', label: 'Skip this date' },
    ...free.times.map((time) => ({ value: time.startTime, label: `Book ${toWallTimeRange(time)}` })),
    ...free.pods.map((pod) => ({ value: pod.podId, label: `Book ${pod.podTitle}, ${pod.locationName}` })),
  ]
  const chosen = series.chosen.get(date)
  const isKnown = options.some(({ value }) => value === chosen)
  return (
    <li>
      <span className={styles.date}>{toDateText(date)}</span>
      <span className={styles.taken}>{reasons.map(({ message }) => message).join(' ')}</span>
      <div className={styles.choice}>
        <NativeSelect
          label={`Instead of ${date}`}
          hideLabel
          size="small"
          placeholder="Choose what becomes of it"
          options={options}
          value={isKnown ? (chosen ?? '') : ''}
          onChange={(choice) => series.choose(date, choice)}
          error={tried && !isKnown && 'Choose one'}
        />
      </div>
    </li>
  )
}
