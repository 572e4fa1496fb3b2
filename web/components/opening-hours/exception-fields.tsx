import { type ReactNode, useState } from 'react'
import type { HourSpan } from '#contract/opening-hours.ts'
import { api } from '#web/api/client.ts'
import { getBusinessDay } from '#web/lib/business-day.ts'
import { toCountryText } from '#web/lib/country-name.ts'
import { Button, IconAction } from '#web/ui/button/button.tsx'
import { DateField } from '#web/ui/date-field/date-field.tsx'
import { TextField } from '#web/ui/field/fields.tsx'
import { IconPlus, IconTrash } from '#web/ui/icons/icons.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { showFailure } from '#web/ui/toasts/toasts.ts'
import type { ExceptionValues } from './hours-values.ts'
import styles from './opening-hours.module.css'
import { openOptions, SpanFields, withSpan } from './span-fields.tsx'

type ExceptionRowProps = {
  exception: ExceptionValues
  /** The hours of its weekday, from which those of the date start. */
  usualSpans: readonly HourSpan[]
  errors: { date: ReactNode; label: ReactNode }
  onChange: (exception: ExceptionValues) => void
  onRemove: () => void
}

export function ExceptionRow({ exception, usualSpans, errors, onChange, onRemove }: ExceptionRowProps) {
  const name = exception.date || 'New date'
  return (
    <div className={styles.exception}>
      <DateField
        label={`${name}: date`}
        hideLabel
        value={exception.date}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- only a row that was just added is empty
        autoFocus={exception.date === ''}
        getToday={getBusinessDay}
        error={errors.date}
        onChange={(date) => onChange({ ...exception, date })}
      />
      <TextField
        label={`${name}: label`}
        hideLabel
        placeholder="Label"
        value={exception.label}
        error={errors.label}
        onChange={(label) => onChange({ ...exception, label })}
      />
      <NativeSelect
        label={`${name}: open or closed`}
        hideLabel
        value={exception.mode}
        options={openOptions}
        onChange={(mode) => {
          const spans = exception.spans.length > 0 ? exception.spans : [...usualSpans]
          onChange({ ...exception, mode: mode === 'open' ? 'open' : 'closed', spans: withSpan(spans) })
        }}
      />
      <IconAction label={`Remove ${name}`} icon={<IconTrash />} onClick={onRemove} />
      {exception.mode === 'open' && (
        <SpanFields name={name} spans={exception.spans} onChange={(spans) => onChange({ ...exception, spans })} />
      )}
    </div>
  )
}

type AddExceptionsProps = {
  country: string
  /** Returns the present exceptions, which may be changed while the public holidays are loading. */
  read: () => ExceptionValues[]
  onChange: (exceptions: ExceptionValues[]) => void
}

let added = 0

/** Returns a key that no other exception has. A date would not do: that of an exception can be changed. */
function toNewKey(): string {
  added += 1
  return `new ${added}`
}

export function AddExceptions({ country, read, onChange }: AddExceptionsProps) {
  const today = getBusinessDay()
  const thisYear = Number(today.slice(0, 4))
  const [year, setYear] = useState(String(thisYear))
  const [isLoading, setLoading] = useState(false)
  const [note, setNote] = useState<string>()

  async function addHolidays() {
    setLoading(true)
    try {
      const { data } = await api('hours', 'holidays', { query: { country, year: Number(year) } })
      const exceptions = read()
      const known = new Set(exceptions.map(({ date }) => date))
      const holidays = data
        .filter(({ date }) => date >= today && !known.has(date))
        .map(({ date, name }) => ({ key: toNewKey(), date, label: name, mode: 'closed' as const, spans: [] }))
      setNote(holidays.length > 0 ? undefined : toNoneText(data.length, country, year))
      onChange([...exceptions, ...holidays].toSorted((a, b) => a.date.localeCompare(b.date)))
    } catch (error) {
      showFailure('The public holidays could not be loaded', toProblem(error))
    }
    setLoading(false)
  }

  return (
    <div className={styles.add}>
      <Button
        size="small"
        icon={<IconPlus size={16} />}
        onClick={() => onChange([...read(), { key: toNewKey(), date: '', label: '', mode: 'closed', spans: [] }])}
      >
        Add date
      </Button>
      <span className={styles.holidays}>
        <Button size="small" loading={isLoading} onClick={() => void addHolidays()}>
          Add public holidays of
        </Button>
        <NativeSelect
          label="Year of the public holidays"
          hideLabel
          size="small"
          value={year}
          options={[thisYear, thisYear + 1, thisYear + 2].map((one) => ({ value: String(one), label: String(one) }))}
          onChange={setYear}
        />
        <output className={styles.none}>{note}</output>
      </span>
    </div>
  )
}

/** Says why no public holiday was added. */
function toNoneText(known: number, country: string, year: string): string {
  return known > 0
    ? `All public holidays to come in ${year} are listed above.`
    : `No public holidays are known for ${toCountryText(country)}. Add their dates one by one.`
}
