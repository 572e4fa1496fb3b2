import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { OpeningHours } from '#contract/hours.ts'
import { findSpanProblem, type HourSpan, toSpansText, weekdayNames } from '#contract/opening-hours.ts'
import { PAGE } from '#contract/pages.ts'
import { closingMark, marks, toClockLabel } from '#contract/slots.ts'
import { submit } from '#web/api/check-body.ts'
import { api } from '#web/api/client.ts'
import { apiQuery } from '#web/api/query.ts'
import { useSession } from '#web/api/session.ts'
import { getBusinessDay } from '#web/lib/business-day.ts'
import { toCountryText } from '#web/lib/country-name.ts'
import { toCounted } from '#web/lib/format.ts'
import { useGoTo } from '#web/lib/link.tsx'
import { schedulePath } from '#web/paths.ts'
import { Button, IconAction } from '#web/ui/button/button.tsx'
import { DateField } from '#web/ui/date-field/date-field.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { TextField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { IconCopy, IconPlus, IconTrash, IconX } from '#web/ui/icons/icons.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { SkeletonFields } from '#web/ui/skeleton/skeleton.tsx'
import { showFailure } from '#web/ui/toasts/toasts.ts'
import { Unloaded } from '../unloaded.tsx'
import { useFormDialog } from '../use-form-dialog.ts'
import {
  type DayMode,
  type DayValues,
  type ExceptionValues,
  exceptionPaths,
  findInherited,
  findUsualSpans,
  type HourValues,
  hasSpanProblem,
  hourLabels,
  showHours,
  toDays,
  toHourBody,
  toHourValues,
  toStoredHours,
} from './hours-values.ts'
import styles from './opening-hours.module.css'

type OpeningHoursDialogProps = { owner: 'pod' | 'location'; id: string; onClose: () => void }

/** Edits when a pod or location is open: the week, and dates with other hours (rules §26.3). */
export function OpeningHoursDialog({ owner, id, onClose }: OpeningHoursDialogProps) {
  const query = useQuery({ ...apiQuery('hours', 'get', { query: { [owner]: id } }), staleTime: 0, gcTime: 0 })
  if (query.data) return <HoursForm owner={owner} id={id} hours={query.data.data} onClose={onClose} />
  return (
    <Dialog title="Opening hours" width={720} onClose={onClose}>
      <Unloaded query={query}>
        <SkeletonFields count={7} />
      </Unloaded>
    </Dialog>
  )
}

function HoursForm({ owner, id, hours, onClose }: OpeningHoursDialogProps & { hours: OpeningHours }) {
  const goTo = useGoTo()
  const maySee = useSession()?.pages.includes(PAGE.bookings) ?? false
  const { form, modal } = useFormDialog({
    initialValues: toHourValues(hours),
    edits: { entity: owner, id },
    edited: { record: hours, toValues: toHourValues, toStored: toStoredHours, labels: hourLabels, show: showHours },
    save: (values, version) =>
      submit('hours', 'update', {
        query: { [owner]: id },
        version: version ?? hours.version,
        body: toHourBody(values),
      }),
    success: 'Opening hours saved',
    more: ({ bookingsOutside: { count, firstDate } }) => {
      if (count === 0 || firstDate === null) return {}
      const link = { label: 'Show the first', href: schedulePath(firstDate), follow: goTo }
      return { note: toOutsideText(count), ...(maySee && { link }) }
    },
    domain: owner === 'pod' ? 'pods' : 'locations',
    otherFields: ['week', ...exceptionPaths],
    failureTitle: 'Error saving the opening hours',
    onClose,
  })
  const { exceptions } = form.values
  const week = weekdayNames.map((name) => form.values[name])

  function setWeek(days: Partial<HourValues>) {
    form.clearFieldError('week')
    form.setValues(days)
  }

  function setExceptions(changed: ExceptionValues[]) {
    // Rows may have moved, and a date may no longer be there twice: filled-in dates are judged again when saved.
    for (const [index, { date }] of changed.entries()) {
      if (date !== '') form.clearFieldError(`exceptions.${index}.date`)
      form.clearFieldError(`exceptions.${index}.label`)
    }
    form.setFieldValue('exceptions', changed)
  }

  return (
    <FormModal title={`Opening hours of ${hours.name}`} width={720} submitLabel="Save hours" {...modal}>
      <section className={styles.section} aria-label="Week">
        <h3 className={styles.title}>Week</h3>
        {weekdayNames.map((name) => (
          <DayRow
            key={name}
            name={name}
            day={form.values[name]}
            hours={hours}
            onChange={(day) => setWeek({ [name]: day })}
            onCopy={() => setWeek(toDays((weekday) => toCopy(form.values[name], weekday)))}
          />
        ))}
        <ListError error={form.errors.week} days={week} />
      </section>
      <section className={styles.section} aria-label={hourLabels.exceptions}>
        <h3 className={styles.title}>{hourLabels.exceptions}</h3>
        {exceptions.length === 0 && <p className={styles.none}>None: every date follows its weekday.</p>}
        {exceptions.map((exception, index) => (
          <ExceptionRow
            key={exception.key}
            exception={exception}
            usualSpans={findUsualSpans(form.values, hours.location, exception.date)}
            errors={{ date: form.errors[`exceptions.${index}.date`], label: form.errors[`exceptions.${index}.label`] }}
            onChange={(changed) => setExceptions(exceptions.map((one, place) => (place === index ? changed : one)))}
            onRemove={() => setExceptions(exceptions.filter((_, place) => place !== index))}
          />
        ))}
        <ListError error={form.errors.exceptions} days={exceptions} />
        <AddExceptions country={hours.country} read={() => form.getValues().exceptions} onChange={setExceptions} />
      </section>
    </FormModal>
  )
}

/** Returns '3 upcoming bookings are outside these hours. They stay.' */
function toOutsideText(count: number): string {
  const counted = toCounted(count, 'upcoming booking is', 'upcoming bookings are')
  return `${counted} outside these hours. ${count === 1 ? 'It stays' : 'They stay'}.`
}

type ListErrorProps = { error: ReactNode; days: readonly (DayValues | ExceptionValues)[] }

/** An error that belongs to no field. Those of spans are marked in their fields. */
function ListError({ error, days }: ListErrorProps) {
  if (!error || days.some(hasSpanProblem)) return null
  return (
    <p className={styles.error} role="alert">
      {error}
    </p>
  )
}

function toCopy({ mode, spans }: DayValues, weekday: DayValues['weekday']): DayValues {
  return { weekday, mode, spans: spans.map(copySpan) }
}

const copySpan = (span: HourSpan): HourSpan => ({ ...span })

const openOptions = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
]
const inheritOptions = [{ value: 'inherit', label: 'As its location' }, ...openOptions]

type DayRowProps = {
  name: string
  day: DayValues
  hours: OpeningHours
  onChange: (day: DayValues) => void
  onCopy: () => void
}

function DayRow({ name, day, hours, onChange, onCopy }: DayRowProps) {
  return (
    <div className={styles.day}>
      <span className={styles.name}>{name}</span>
      <NativeSelect
        label={`${name}: open or closed`}
        hideLabel
        size="small"
        value={day.mode}
        options={hours.location ? inheritOptions : openOptions}
        onChange={(mode) => onChange({ ...day, mode: mode as DayMode, spans: withSpan(day.spans) })} // one of the options
      />
      {day.mode === 'open' ? (
        <SpanFields name={name} spans={day.spans} onChange={(spans) => onChange({ ...day, spans })} />
      ) : (
        <span className={styles.inherited}>
          {day.mode === 'inherit' && toSpansText(findInherited(hours.location, day.weekday))}
        </span>
      )}
      <IconAction
        size="small"
        label={`Copy ${name} to all days`}
        data-tooltip="Copy to all days"
        icon={<IconCopy />}
        onClick={onCopy}
      />
    </div>
  )
}

const newSpan: HourSpan = { opens: '08:00', closes: '18:00' }
const withSpan = (spans: HourSpan[]) => (spans.length > 0 ? spans : [copySpan(newSpan)])

const opensOptions = marks.slice(0, -1).map(toOption)
const closesOptions = marks.slice(1).map(toOption)

function toOption(mark: string) {
  return { value: mark, label: mark === closingMark ? 'Midnight' : toClockLabel(mark) }
}

type SpanFieldsProps = { name: string; spans: HourSpan[]; onChange: (spans: HourSpan[]) => void }

function SpanFields({ name, spans, onChange }: SpanFieldsProps) {
  const change = (index: number, part: Partial<HourSpan>) =>
    onChange(spans.map((span, place) => (place === index ? { ...span, ...part } : span)))
  const last = spans.at(-1)
  const problem = findSpanProblem(spans)
  const errorOf = (index: number, part: keyof HourSpan) =>
    problem?.index === index && problem.part === part ? problem.message : undefined
  return (
    <div className={styles.spans}>
      {spans.map(({ opens, closes }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- spans have no other name, and hold no state
        <div key={index} className={styles.span}>
          <NativeSelect
            label={`${name} opens`}
            hideLabel
            size="small"
            value={opens}
            options={opensOptions}
            error={errorOf(index, 'opens')}
            onChange={(mark) => change(index, { opens: mark })}
          />
          <span aria-hidden>–</span>
          <NativeSelect
            label={`${name} closes`}
            hideLabel
            size="small"
            value={closes}
            options={closesOptions}
            error={errorOf(index, 'closes')}
            onChange={(mark) => change(index, { closes: mark })}
          />
          {spans.length > 1 && (
            <IconAction
              size="small"
              label={`Remove ${toSpansText([{ opens, closes }])} of ${name}`}
              icon={<IconX />}
              onClick={() => onChange(spans.filter((_, place) => place !== index))}
            />
          )}
          {index === spans.length - 1 && last && last.closes < closingMark && (
            <IconAction
              size="small"
              label={`Add hours to ${name}`}
              data-tooltip="Add hours"
              icon={<IconPlus />}
              onClick={() => onChange([...spans, { opens: last.closes, closes: closingMark }])}
            />
          )}
        </div>
      ))}
    </div>
  )
}

type ExceptionRowProps = {
  exception: ExceptionValues
  /** The hours of its weekday, from which those of the date start. */
  usualSpans: readonly HourSpan[]
  errors: { date: ReactNode; label: ReactNode }
  onChange: (exception: ExceptionValues) => void
  onRemove: () => void
}

function ExceptionRow({ exception, usualSpans, errors, onChange, onRemove }: ExceptionRowProps) {
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
          const spans = exception.spans.length > 0 ? exception.spans : usualSpans.map(copySpan)
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
  onChange: HourValues['exceptions'] extends infer List ? (exceptions: List) => void : never
}

let added = 0

/** Returns a key that no other exception has. A date would not do: that of an exception can be changed. */
function toNewKey(): string {
  added += 1
  return `new ${added}`
}

function AddExceptions({ country, read, onChange }: AddExceptionsProps) {
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
