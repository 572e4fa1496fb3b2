import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookingPage } from '#contract/booking-actions.ts'
import { toCents, toMoneyText } from '#contract/money.ts'
import type { MovedOccurrence, Series, SeriesEdit } from '#contract/series.ts'
import { toWireTime } from '#contract/slots.ts'
import { ApiError } from '#web/api/api-error.ts'
import { submit } from '#web/api/check-body.ts'
import { api } from '#web/api/client.ts'
import { apiQuery } from '#web/api/query.ts'
import type { ApiResponse } from '#web/api/request-types.ts'
import { isLost } from '#web/api/retry.ts'
import { useOccurrenceChoices } from '#web/components/series/occurrence-choices.ts'
import { type ChoiceLabels, OccurrenceList } from '#web/components/series/occurrence-list.tsx'
import { type Scope, SeriesScope } from '#web/components/series/series-scope.tsx'
import { Unloaded } from '#web/components/unloaded.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { toWallTimeRange } from '#web/lib/format.ts'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { SwitchField } from '#web/ui/switch-field/switch-field.tsx'
import styles from './booking.module.css'
import { PodField, TimeFields } from './interval-fields.tsx'
import { type Draft, type SeriesValues, toSeriesValues, useDraft } from './move-draft.ts'
import { Unchecked } from './unchecked.tsx'
import { useReloadBookings } from './use-booking-action.ts'

const labels: ChoiceLabels = {
  skip: 'Leave it as it is',
  skipAll: 'Leave all that do not fit',
  take: 'Move it to',
}

type MoveSeriesProps = {
  booking: BookingPage
  seriesId: string
  scope: Scope
  draft: Draft
  onClose: () => void
}

/**
 * Form to move several bookings of a series to another time of day or pod. Each keeps its date; for those that do not
 * fit, the person chooses what to do (rules §29.8).
 */
export function MoveSeries({ booking, seriesId, scope, draft, onClose }: MoveSeriesProps) {
  const reload = useReloadBookings()
  const [tried, setTried] = useState(false)
  const params = { id: seriesId }
  const query = { scope, booking: booking._id }
  const series = useQuery(apiQuery('series', 'get', { params }))

  const { form, modal } = useFormDialog({
    initialValues: toSeriesValues(booking),
    edits: { entity: 'booking', id: booking._id },
    save: async (values): Promise<ApiResponse<{ message: string }>> => {
      const choices = chosen.made.map(({ occurrence: { bookingId }, choice }) => ({ ...choice, bookingId }))
      // What was shown: a colleague may have moved one alone, or changed the rate of another pod, meanwhile.
      const prices = (occurrences ?? []).map(({ bookingId, version, newPrice }) => ({
        bookingId,
        version,
        newPrice: newPrice ?? undefined,
      }))
      try {
        const version = series.data?.data.version
        const response = await submit('series', 'update', {
          params,
          query,
          version,
          body: { ...toEdit(booking, values), choices, prices },
        })
        await reload()
        return response
      } catch (error) {
        // A time was taken meanwhile: reload the dates, with what is free instead. Or only the response was lost.
        if (isLost(error) || (error instanceof ApiError && error.status === 409)) await reload()
        throw error
      }
    },
    onClose,
  })
  const values = form.getValues()
  useDraft(draft, ({ podId, podTitle, podLocation, startTime: from, endTime: to, causedByUs }) =>
    form.setValues({ podId, podTitle, podLocation, startTime: from, endTime: to, causedByUs }),
  )
  const edit = toEdit(booking, values)
  const isWhole = values.podId !== null && values.endTime > values.startTime
  const isAsked = isWhole && form.isDirty()
  const preview = useQuery({
    queryKey: ['series', 'previewUpdate', seriesId, query, edit],
    queryFn: ({ signal }) => api('series', 'previewUpdate', { params, query, body: edit, signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const occurrences = isAsked ? preview.data?.data.occurrences : undefined
  const chosen = useOccurrenceChoices(occurrences, draft.chosen)

  function findMissing(): string | undefined {
    if (!isWhole) return 'Choose a pod, and an end after the start.'
    if (!form.isDirty()) return 'Choose another time or pod first.'
    const isKnown = occurrences && series.data && !preview.isPlaceholderData
    return isKnown ? undefined : 'It is not known yet which dates are free then.'
  }

  return (
    <FormModal
      title="Move bookings of a series"
      submitLabel="Save"
      cannotSubmit={findMissing()}
      {...modal}
      onSubmit={(event) => {
        setTried(true)
        if (chosen.isComplete) modal.onSubmit(event)
        else event.preventDefault()
      }}
    >
      <SeriesScope seriesId={seriesId} value={scope} onChange={(next) => draft.change(next, values)} />
      <PodField value={values} onChange={form.setValues} error={form.errors.podId} />
      <TimeFields value={values} onChange={form.setValues} errors={form.errors} />
      {booking.price !== null && (
        <SwitchField
          label="Caused by us: the prices stay"
          checked={values.causedByUs}
          onChange={(checked) => form.setFieldValue('causedByUs', checked)}
        />
      )}
      <div aria-live="polite" className={styles.answer}>
        {values.endTime <= values.startTime && <p className={styles.refused}>The end is not after the start.</p>}
        <Unloaded query={series} title="The series could not be loaded" />
        {isAsked && <Unchecked query={preview} />}
        {occurrences && <p className={styles.quote}>{toCostText(edit, occurrences)}</p>}
      </div>
      {occurrences && (
        <OccurrenceList
          occurrences={occurrences}
          notes={toMovedNotes(series.data?.data, booking, edit)}
          choices={chosen}
          isSold={booking.price !== null}
          labels={labels}
          busy={preview.isFetching}
          tried={tried}
        />
      )}
    </FormModal>
  )
}

/** Returns what differs from `booking`; the other bookings of the series keep their own values for the rest. */
function toEdit({ podId, bookingDate, startTime, endTime }: BookingPage, values: SeriesValues) {
  const times = {
    startTime: toWireTime(bookingDate, values.startTime),
    endTime: toWireTime(bookingDate, values.endTime),
  }
  const isOther = times.startTime !== startTime || times.endTime !== endTime
  return {
    ...(values.podId !== null && values.podId !== podId ? { podId: values.podId } : {}),
    ...(isOther ? times : {}),
    causedByUs: values.causedByUs,
  }
}

/** Says where bookings that were moved alone are now, as the edit takes them back from there; by the booking's id. */
function toMovedNotes(series: Series | undefined, booking: BookingPage, { podId, startTime }: SeriesEdit) {
  const notes = (series?.bookings ?? []).map((one) => {
    const [times, usual] = [one, booking].map(toWallTimeRange)
    const parts = [
      startTime && times !== usual && times,
      podId && one.podId !== booking.podId && `${one.podTitle}, ${one.locationName}`,
    ]
    return [one._id, parts.filter((part) => part).join(', ')] as const
  })
  return new Map(notes.filter(([, where]) => where !== ''))
}

const list = new Intl.ListFormat('en-GB')

function toCostText({ podId, startTime }: SeriesEdit, occurrences: readonly MovedOccurrence[]): string {
  const free = occurrences.filter(({ reasons }) => reasons.length === 0)
  const difference = toCents(free.reduce((sum, one) => sum + one.difference, 0))
  // One that was moved alone may keep another time or pod than the form shows.
  const kept = ['date', ...(startTime ? [] : ['time']), ...(podId ? [] : ['pod'])]
  const keeps = `Each keeps its ${list.format(kept)}.`
  // None fits, or they are not paid for.
  if (free.every(({ newPrice }) => newPrice === null)) return keeps
  if (difference === 0) return `${keeps} The prices stay as they are.`
  const more = difference > 0 ? 'more to pay' : 'less to pay, or to be given back where it was paid'
  const which = free.length === occurrences.length ? 'Together' : `For the ${free.length} that fit`
  return `${keeps} ${which}: ${toMoneyText(Math.abs(difference))} ${more}.`
}
