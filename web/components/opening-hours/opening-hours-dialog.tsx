import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { OpeningHours } from '#contract/hours.ts'
import { toSpansText, weekdayNames } from '#contract/opening-hours.ts'
import { PAGE } from '#contract/pages.ts'
import { submit } from '#web/api/check-body.ts'
import { apiQuery } from '#web/api/query.ts'
import { useSession } from '#web/api/session.ts'
import { toCounted } from '#web/lib/format.ts'
import { useGoTo } from '#web/lib/link.tsx'
import { schedulePath } from '#web/paths.ts'
import { IconAction } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { IconCopy } from '#web/ui/icons/icons.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { SkeletonFields } from '#web/ui/skeleton/skeleton.tsx'
import { Announcement } from '#web/ui/visually-hidden/visually-hidden.tsx'
import { Unloaded } from '../unloaded.tsx'
import { useFormDialog } from '../use-form-dialog.ts'
import { AddExceptions, ExceptionRow } from './exception-fields.tsx'
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
import { openOptions, SpanFields, withSpan } from './span-fields.tsx'

type OpeningHoursDialogProps = { owner: 'pod' | 'location'; id: string; onClose: () => void }

/** Edits when a pod or location is open: the week, and dates with other hours (rules §26.3). */
export function OpeningHoursDialog({ owner, id, onClose }: OpeningHoursDialogProps) {
  const query = useQuery({ ...apiQuery('hours', 'get', { query: { [owner]: id } }), gcTime: 0 })
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
    save: async (values, version) => ({
      ...(await submit('hours', 'update', {
        query: { [owner]: id },
        version: version ?? hours.version,
        body: toHourBody(values),
      })),
      recordId: id,
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
  const [copied, setCopied] = useState<string>()
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
            onCopy={() => {
              setWeek(toDays((weekday) => ({ ...form.values[name], weekday })))
              setCopied(name)
            }}
          />
        ))}
        <Announcement>{copied && `${copied} is copied to all days`}</Announcement>
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
