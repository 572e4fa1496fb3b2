import { useState } from 'react'
import type { Closure } from '#contract/closures.ts'
import { toRequiredMessage } from '#contract/errors.ts'
import { closingMark, marks, toClockLabel, toWireTime } from '#contract/slots.ts'
import { type OwnErrors, submit } from '#web/api/check-body.ts'
import { remember } from '#web/components/known-options.ts'
import { LocationField } from '#web/components/location-field.tsx'
import { toPodOption } from '#web/components/pod-options.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { getBusinessDay } from '#web/lib/business-day.ts'
import { addDays, isDay } from '#web/lib/days.ts'
import { DateField } from '#web/ui/date-field/date-field.tsx'
import { TextField } from '#web/ui/field/fields.tsx'
import { FieldRow, FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { type LookupOption, MultiLookupField } from '#web/ui/lookup-field/lookup-field.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import {
  isMonthlyOnWeekday,
  toClosedName,
  toMonthlyRule,
  toRepeatOptions,
  toRepeatText,
  toSavedText,
} from './closure-words.ts'
import { useAffected, type WantedClosure } from './use-affected.tsx'
import { usePodChoices } from './use-pod-choices.ts'

type ClosureValues = {
  scope: 'pods' | 'location'
  podIds: string[]
  locationId: string | null
  startDate: string
  startMark: string
  hasEnd: 'yes' | 'no'
  endDate: string
  endMark: string
  repeats: string
  repeatEnd: 'never' | 'date'
  lastDate: string
  reason: string
}

const toMarkText = (mark: string) =>
  mark === '00:00' ? 'Start of day' : mark === closingMark ? 'End of day' : toClockLabel(mark)
const timeOptions = ['00:00', ...marks].map((mark) => ({ value: mark, label: toMarkText(mark) }))
/** Adds `mark` to the options if it is not among them: a closure made by blocking can begin at any minute. */
const withTime = (mark: string) =>
  timeOptions.some(({ value }) => value === mark)
    ? timeOptions
    : [...timeOptions, { value: mark, label: toClockLabel(mark) }]
const scopeOptions = [
  { value: 'pods', label: 'Pods' },
  { value: 'location', label: 'A whole location' },
]
const endOptions = [
  { value: 'yes', label: 'Until a time' },
  { value: 'no', label: 'Until further notice' },
]
const repeatEndOptions = [
  { value: 'never', label: 'Never' },
  { value: 'date', label: 'On a date' },
]

function toValues(closure: Closure | undefined): ClosureValues {
  const today = getBusinessDay()
  const end = closure?.ends ? toEnd(closure.ends) : { endDate: today, endMark: closingMark }
  return {
    scope: closure?.location ? 'location' : 'pods',
    podIds: closure?.pods.map(({ _id }) => _id) ?? [],
    locationId: closure?.location?._id ?? null,
    startDate: closure?.starts.slice(0, 10) ?? today,
    startMark: closure?.starts.slice(11, 16) ?? '06:00',
    hasEnd: closure && closure.ends === null ? 'no' : 'yes',
    ...end,
    ...toRepetition(closure?.repeats ?? ''),
    reason: closure?.reason ?? '',
  }
}

/** Midnight is the end of the day before. */
function toEnd(ends: string) {
  const [day, mark] = [ends.slice(0, 10), ends.slice(11, 16)]
  return mark === '00:00' ? { endDate: addDays(day, -1), endMark: closingMark } : { endDate: day, endMark: mark }
}

/** Splits off the last date of a rule that this form has made. Others stay whole: they may end within a day. */
function toRepetition(rule: string): Pick<ClosureValues, 'repeats' | 'repeatEnd' | 'lastDate'> {
  const [, repeats, year, month, day] = /^(.+);UNTIL=(\d{4})(\d\d)(\d\d)T235959Z$/.exec(rule) ?? []
  if (repeats === undefined) return { repeats: rule, repeatEnd: 'never', lastDate: '' }
  return { repeats, repeatEnd: 'date', lastDate: `${year}-${month}-${day}` }
}

function toRule({ hasEnd, repeats, repeatEnd, lastDate }: ClosureValues): string | null {
  if (hasEnd === 'no' || repeats === '') return null
  return repeatEnd === 'date' ? `${repeats};UNTIL=${lastDate.replaceAll('-', '')}T235959Z` : repeats
}

const labels: Record<keyof ClosureValues, string> = {
  scope: 'What is closed',
  podIds: 'Pods',
  locationId: 'Location',
  startDate: 'From',
  startMark: 'Start time',
  hasEnd: 'How long',
  endDate: 'To',
  endMark: 'End time',
  repeats: 'Repeats',
  repeatEnd: 'Stops repeating',
  lastDate: 'Last date',
  reason: 'Reason',
}

/** Formats a field for the comparison of two people's edits; undefined for those that are readable as they are. */
function show(name: keyof ClosureValues, values: ClosureValues): string | undefined {
  if (name === 'startMark' || name === 'endMark') return toMarkText(values[name])
  if (name === 'hasEnd') return endOptions.find(({ value }) => value === values.hasEnd)?.label
  if (name === 'repeatEnd') return repeatEndOptions.find(({ value }) => value === values.repeatEnd)?.label
  return name === 'repeats' ? toRepeatText(values.repeats || null) : undefined
}

/** Takes today for a day that is missing, which is an error of its own, so that the other fields are checked too. */
const toTime = (day: string, mark: string) => toWireTime(isDay(day) ? day : getBusinessDay(), mark)

function toWanted(values: ClosureValues): WantedClosure {
  const { scope, podIds, locationId } = values
  return { ...(scope === 'pods' ? { podIds } : { locationId: locationId ?? '' }), ...toTimes(values) }
}

function toTimes(values: ClosureValues) {
  const { startDate, startMark, hasEnd, endDate, endMark } = values
  return {
    starts: toTime(startDate, startMark),
    ends: hasEnd === 'yes' ? toTime(endDate, endMark) : null,
    repeats: toRule(values),
  }
}

/** Returns an error for each field of a day that is shown and has none. */
function findMissingDays(values: ClosureValues): OwnErrors {
  const shown: (keyof ClosureValues)[] = ['startDate']
  if (values.hasEnd === 'yes') shown.push('endDate')
  if (toRule(values) !== null && values.repeatEnd === 'date') shown.push('lastDate')
  const missing = shown.filter((name) => !isDay(String(values[name])))
  return Object.fromEntries(missing.map((name) => [name, toRequiredMessage(labels[name])]))
}

/** Returns whether the form is complete enough to look up the bookings that the closure affects. */
function isComplete(values: ClosureValues): boolean {
  const hasScope = values.scope === 'pods' ? values.podIds.length > 0 : values.locationId !== null
  return hasScope && Object.keys(findMissingDays(values)).length === 0
}

type ClosureFormProps = { closure: Closure | undefined; onClose: () => void }

/**
 * Form to close pods or change a closure. While it is filled in it shows the affected bookings, to be decided on
 * one by one or all at once.
 */
export function ClosureForm({ closure, onClose }: ClosureFormProps) {
  const { form, modal } = useFormDialog({
    initialValues: toValues(closure),
    edits: { entity: 'closure', id: closure?._id },
    edited: closure && { record: closure, toValues, labels, show },
    save: (values, version) =>
      affected.save((decisions) => {
        const missing = findMissingDays(values)
        const { reason } = values
        if (!closure) return submit('closures', 'create', { body: { ...toWanted(values), reason, decisions } }, missing)
        const body = { ...toTimes(values), reason, decisions }
        const edit = { params: { id: closure._id }, version: version ?? closure.version, body }
        return submit('closures', 'update', edit, missing)
      }),
    success: (saved) => toSavedText(closure ? 'Closure changed' : `${toClosedName(saved)} closed`, saved),
    domain: 'closures',
    failureTitle: closure ? 'Error changing the closure' : 'Error closing pods',
    onClose,
  })
  const { values } = form
  const known: LookupOption[] = (closure?.pods ?? []).map(toPodOption)
  const pods = usePodChoices(known, (ids) =>
    form.setFieldValue('podIds', (chosen) => [...new Set([...chosen, ...ids])]),
  )
  const [knownLocations] = useState(() =>
    remember(new Map(), closure?.location ? [{ value: closure.location._id, label: closure.location.name }] : []),
  )
  const affected = useAffected(isComplete(values) ? toWanted(values) : undefined)

  return (
    <FormModal
      title={closure ? 'Edit closure' : 'Close pods'}
      width={720}
      submitLabel={closure ? 'Save closure' : 'Close pods'}
      {...modal}
      progress={modal.pending ? affected.progress : undefined}
      dirty={modal.dirty || affected.isTouched}
      cannotSubmit={pods.lookup.all?.isPending ? 'The pods are still being added.' : affected.missing}
    >
      <FieldRow>
        <NativeSelect
          label={labels.scope}
          options={scopeOptions}
          disabled={closure !== undefined}
          {...form.getInputProps('scope')}
        />
        {values.scope === 'pods' ? (
          <MultiLookupField
            label={labels.podIds}
            required
            disabled={closure !== undefined}
            placeholder={values.podIds.length === 0 ? 'Choose pods' : ''}
            lookup={pods.lookup}
            selected={pods.toOptions(values.podIds)}
            {...form.getInputProps('podIds')}
          />
        ) : (
          <LocationField
            label={labels.locationId}
            required
            disabled={closure !== undefined}
            known={knownLocations}
            {...form.getInputProps('locationId')}
          />
        )}
      </FieldRow>
      <TextField
        label={labels.reason}
        required
        placeholder="Painting, lock broken, …"
        {...form.getInputProps('reason')}
      />
      <FieldRow>
        <DateField
          label={labels.startDate}
          required
          getToday={getBusinessDay}
          {...form.getInputProps('startDate')}
          onChange={(day) => {
            form.setValues({
              startDate: day,
              ...(isDay(day) && day > values.endDate && { endDate: day }),
              ...(isMonthlyOnWeekday(values.repeats) && { repeats: toMonthlyRule(day) ?? values.repeats }),
            })
          }}
        />
        <NativeSelect
          label={labels.startMark}
          options={withTime(values.startMark)}
          {...form.getInputProps('startMark')}
        />
      </FieldRow>
      <FieldRow>
        <NativeSelect label={labels.hasEnd} options={endOptions} {...form.getInputProps('hasEnd')} />
        {values.hasEnd === 'yes' && (
          <NativeSelect
            label={labels.repeats}
            options={toRepeatOptions(values.startDate, values.repeats)}
            {...form.getInputProps('repeats')}
          />
        )}
      </FieldRow>
      {values.hasEnd === 'yes' && (
        <FieldRow>
          <DateField
            label={labels.endDate}
            required
            min={values.startDate}
            getToday={getBusinessDay}
            {...form.getInputProps('endDate')}
          />
          <NativeSelect label={labels.endMark} options={withTime(values.endMark)} {...form.getInputProps('endMark')} />
        </FieldRow>
      )}
      {values.hasEnd === 'yes' && values.repeats !== '' && (
        <FieldRow>
          <NativeSelect label={labels.repeatEnd} options={repeatEndOptions} {...form.getInputProps('repeatEnd')} />
          {values.repeatEnd === 'date' && (
            <DateField
              label={labels.lastDate}
              required
              min={values.startDate}
              getToday={getBusinessDay}
              {...form.getInputProps('lastDate')}
            />
          )}
        </FieldRow>
      )}
      {affected.section}
    </FormModal>
  )
}
