import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookingPage, MoveQuote } from '#contract/booking-actions.ts'
import { toMoneyText } from '#contract/money.ts'
import { toMarks, toWireTime } from '#contract/slots.ts'
import { ApiError } from '#web/api/api-error.ts'
import { submit } from '#web/api/check-body.ts'
import { api } from '#web/api/client.ts'
import { useMay } from '#web/api/may.ts'
import { FreeInstead } from '#web/components/free-instead.tsx'
import { areHoursAlone, OverrideReason, REASON_MISSING } from '#web/components/override-reason.tsx'
import { orReload } from '#web/components/record-conflict.ts'
import { useChosen } from '#web/components/series/occurrence-choices.ts'
import { type Scope, SeriesScope } from '#web/components/series/series-scope.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { getBusinessDay } from '#web/lib/business-day.ts'
import { DateField } from '#web/ui/date-field/date-field.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { SwitchField } from '#web/ui/switch-field/switch-field.tsx'
import { toNotice } from './booking-messages.tsx'
import styles from './booking.module.css'
import { PodField, TimeFields } from './interval-fields.tsx'
import { type Draft, type MoveValues, toSeriesValues, useDraft } from './move-draft.ts'
import { MoveSeries } from './move-series.tsx'
import { listObstacleTexts } from './obstacle-words.ts'
import { toDifferenceText, toMoreToPay } from './price-words.ts'
import { Unchecked } from './unchecked.tsx'
import { useShowBooking } from './use-booking-action.ts'

/** Asks which bookings of a series to move. A booking that has begun is changed alone, and only its end. */
export function MoveDialog({ booking: current, onClose }: { booking: BookingPage; onClose: () => void }) {
  const [opened] = useState(current)
  // Once somebody else has moved it, the form still shows where it was: the version of then lets the server refuse it.
  const booking = isAtSame(opened, current) ? current : opened
  const [scope, setScope] = useState<Scope>('this')
  const [values, setValues] = useState<MoveValues>()
  const chosen = useChosen()
  const { seriesId } = booking
  const draft: Draft = {
    values,
    chosen,
    change: (next, typed) => {
      // The form for one booking always comes first, so the values are complete from the first change on.
      setValues((kept) => ({ ...kept, ...typed }) as MoveValues)
      setScope(next)
    },
  }
  // Its form stays, with what was typed, when the booking begins meanwhile.
  if (seriesId === null || opened.startTime <= opened.businessNow) return <MoveOne {...{ booking, onClose }} />
  if (scope === 'this') return <MoveOne {...{ booking, draft, onClose }} />
  return <MoveSeries {...{ booking, seriesId, scope, draft, onClose }} />
}

function isAtSame(one: BookingPage, other: BookingPage): boolean {
  return one.podId === other.podId && one.startTime === other.startTime && one.endTime === other.endTime
}

type MoveOneProps = { booking: BookingPage; draft?: Draft; onClose: () => void }

/** Form to move one booking; shows what it costs and what is in its way before it is saved (rules §27.5). */
function MoveOne({ booking, draft, onClose }: MoveOneProps) {
  const may = useMay()
  const hasBegun = booking.startTime <= booking.businessNow
  const show = useShowBooking()
  const queryClient = useQueryClient()
  const { form, modal } = useFormDialog({
    initialValues: { ...toSeriesValues(booking), bookingDate: booking.bookingDate, overrideReason: '' },
    edits: { entity: 'booking', id: booking._id },
    save: async (values) => {
      try {
        const { overrideReason } = values
        const override = isOverridable && overrideReason.trim() !== '' ? { overrideReason } : {}
        const newPrice = quote?.newPrice ?? undefined
        const body = { ...toQuestion(values), version: booking.version, newPrice, ...override }
        const response = await orReload(submit('bookingActions', 'move', { params: { id: booking._id }, body }), () =>
          queryClient.invalidateQueries({ queryKey: ['bookingActions'] }),
        )
        await show(response)
        return response
      } catch (error) {
        // The time was taken, or the price has changed, meanwhile: reload the preview, which says what is free instead.
        if (error instanceof ApiError && error.status === 409) {
          await queryClient.invalidateQueries({ queryKey: ['bookingActions', 'previewMove'] })
        }
        throw error
      }
    },
    success: hasBegun ? 'Booking changed' : 'Booking moved',
    onClose,
  })
  const values = form.getValues()
  useDraft(draft, form.setValues)
  const question = toQuestion(values)
  const isChanged = form.isDirty()
  const isWhole = values.podId !== null && values.bookingDate !== '' && question.endTime > question.startTime
  const isAsked = isChanged && isWhole
  const preview = useQuery({
    queryKey: ['bookingActions', 'previewMove', booking._id, booking.version, question],
    queryFn: ({ signal }) =>
      api('bookingActions', 'previewMove', { params: { id: booking._id }, body: question, signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const quote: MoveQuote | undefined = isAsked ? preview.data?.data : undefined
  // Nothing is saved before its price was shown.
  const isAwaited = quote === undefined || preview.isPlaceholderData
  const isRefused = quote !== undefined && quote.reasons.length > 0
  const isOverridable: boolean = quote !== undefined && may.changeRecords('booking') && areHoursAlone(quote.reasons)

  // Customers are checked in for the day.
  const isCheckInLost = booking.checkedInAt !== null && values.bookingDate !== booking.bookingDate

  function findMissing(): string | undefined {
    if (!isWhole) return 'Choose a pod, a date, and an end after the start.'
    if (!isChanged) return hasBegun ? 'Choose another end first.' : 'Choose another time or pod first.'
    if (isAwaited) return 'It is not known yet whether it is free then, and at what price.'
    if (!isRefused || (isOverridable && values.overrideReason.trim() !== '')) return undefined
    if (isOverridable) return REASON_MISSING
    return hasBegun ? 'It cannot end then. Choose another end.' : 'It is not free then. Choose another time or pod.'
  }

  return (
    <FormModal
      title={hasBegun ? 'Extend or shorten' : 'Move booking'}
      submitLabel={toSubmitText(quote ? toMoreToPay(quote.difference, quote.balanceDue) : 0, isOverridable)}
      cannotSubmit={findMissing()}
      {...modal}
    >
      {draft && booking.seriesId !== null && (
        <SeriesScope seriesId={booking.seriesId} value="this" onChange={(scope) => draft.change(scope, values)} />
      )}
      <PodField value={values} disabled={hasBegun} onChange={form.setValues} error={form.errors.podId} />
      <DateField
        label="Date"
        required
        min={getBusinessDay()}
        getToday={getBusinessDay}
        disabled={hasBegun}
        {...form.getInputProps('bookingDate')}
      />
      <TimeFields value={values} keepsStart={hasBegun} onChange={form.setValues} errors={form.errors} />
      {booking.price !== null && (
        <SwitchField
          label="Caused by us: the price stays"
          checked={values.causedByUs}
          onChange={(checked) => form.setFieldValue('causedByUs', checked)}
        />
      )}
      <div aria-live="polite" className={styles.answer}>
        {!isWhole && values.bookingDate !== '' && <p className={styles.refused}>The end is not after the start.</p>}
        {isAsked && <Unchecked query={preview} />}
        {quote && quote.reasons.length === 0 && (
          <p className={styles.quote}>
            {toPriceText(quote)} {quote.notifies && toNotice(quote.notifies.to)}
          </p>
        )}
        {isAsked && isCheckInLost && <p className={styles.quote}>The check-in is taken back.</p>}
        {quote && quote.reasons.length > 0 && (
          <>
            <ul className={styles.refused}>
              {listObstacleTexts(quote.reasons).map((message) => (
                <li key={message}>{message}</li>
              ))}
            </ul>
            <FreeInstead
              free={hasBegun ? { times: [], pods: [] } : quote.free}
              date={values.bookingDate}
              onTime={(time) => {
                const [startTime, endTime] = toMarks(time)
                form.setValues({ bookingDate: time.startTime.slice(0, 10), startTime, endTime })
              }}
              onPod={({ podId, podTitle, locationName }) =>
                form.setValues({ podId, podTitle, podLocation: locationName })
              }
            />
          </>
        )}
      </div>
      {isOverridable && <OverrideReason {...form.getInputProps('overrideReason')} />}
    </FormModal>
  )
}

function toSubmitText(moreToPay: number, isOverridable: boolean): string {
  const text = isOverridable ? 'Book anyway' : 'Save'
  return moreToPay > 0 ? `${text}, ${toMoneyText(moreToPay)} more` : text
}

function toPriceText({
  price,
  newPrice,
  difference,
  balanceDue,
}: Pick<MoveQuote, 'price' | 'newPrice' | 'difference' | 'balanceDue'>): string {
  if (price === null || newPrice === null) return 'It is free then. Nothing is to be paid for it.'
  if (difference === 0) return `It is free then. The price stays ${toMoneyText(price)}.`
  return `It is free then. ${toMoneyText(newPrice)} instead of ${toMoneyText(price)}: ${toDifferenceText(difference, balanceDue)}.`
}

function toQuestion({ podId, bookingDate, startTime, endTime, causedByUs }: MoveValues) {
  const day = bookingDate === '' ? getBusinessDay() : bookingDate
  return {
    podId: podId ?? '',
    bookingDate: day,
    startTime: toWireTime(day, startTime),
    endTime: toWireTime(day, endTime),
    causedByUs,
  }
}
