import { toRequiredMessage } from '#contract/errors.ts'
import { WEEKDAY_REQUIRED, weekdayCodes } from '#contract/opening-hours.ts'
import { type ChoiceLabels, OccurrenceList } from '#web/components/series/occurrence-list.tsx'
import { Unloaded } from '#web/components/unloaded.tsx'
import { CheckboxGroup } from '#web/ui/checkbox-group/checkbox-group.tsx'
import { DateField } from '#web/ui/date-field/date-field.tsx'
import { FieldRow } from '#web/ui/form-modal/form-modal.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { Spinner } from '#web/ui/spinner/spinner.tsx'
import { SwitchField } from '#web/ui/switch-field/switch-field.tsx'
import styles from './repeat-fields.module.css'
import { dayNames, type Repeats, type useSeries } from './repeats.ts'

const everyOptions = [1, 2, 3, 4].map((weeks) => ({
  value: String(weeks),
  label: weeks === 1 ? 'Every week' : `Every ${weeks} weeks`,
}))

type RepeatFieldsProps = {
  /** Undefined for a single booking. */
  value: Repeats | undefined
  onToggle: (isOn: boolean) => void
  onChange: (value: Repeats) => void
  series: ReturnType<typeof useSeries>
  /** The first date of the series, 'YYYY-MM-DD'. */
  date: string
  getToday: () => string
  isSold: boolean
  tried: boolean
  errors: Readonly<Record<string, string | undefined>>
}

/** How a series repeats, and what to do with each date that is not free (rules §29.9). */
export function RepeatFields(props: RepeatFieldsProps) {
  const { value, onToggle, onChange, series, date, getToday, isSold, tried, errors } = props
  return (
    <>
      <SwitchField label="Repeat" checked={value !== undefined} onChange={onToggle} />
      {value && (
        <>
          <CheckboxGroup
            label="On"
            columns={3}
            options={dayNames}
            value={value.weekdays}
            onChange={(days) => onChange({ ...value, weekdays: weekdayCodes.filter((code) => days.includes(code)) })}
            error={value.weekdays.length === 0 && WEEKDAY_REQUIRED}
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
              getToday={getToday}
              value={value.until}
              onChange={(until) => onChange({ ...value, until })}
              error={errors['repeats.until'] ?? (tried && value.until === '' && toRequiredMessage('Until'))}
            />
          </FieldRow>
          <Preview series={series} isSold={isSold} tried={tried} />
        </>
      )}
    </>
  )
}

const labels: ChoiceLabels = { skip: 'Skip this date', skipAll: 'Skip all that are not free', take: 'Book' }

function Preview({ series, isSold, tried }: Pick<RepeatFieldsProps, 'series' | 'isSold' | 'tried'>) {
  const { occurrences, preview } = series
  const failure = <Unloaded query={preview} title="The dates could not be loaded" />
  if (!occurrences) {
    if (preview.error) return failure
    return (
      <p className={styles.hint}>
        {preview.isFetching ? <Spinner /> : 'Choose a pod, the times and the last date to see every booking.'}
      </p>
    )
  }
  return (
    <>
      {failure}
      <OccurrenceList
        occurrences={occurrences}
        choices={series}
        isSold={isSold}
        labels={labels}
        maySkipFree
        busy={preview.isFetching}
        tried={tried}
      />
    </>
  )
}
