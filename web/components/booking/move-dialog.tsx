import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookingPage } from '#contract/booking-actions.ts'
import { marks, toClockLabel, toMarks, toMinutes, toWireTime } from '#contract/slots.ts'
import { ApiError } from '#web/api/api-error.ts'
import { submit } from '#web/api/check-body.ts'
import { api } from '#web/api/client.ts'
import { apiQuery } from '#web/api/query.ts'
import { FreeInstead } from '#web/components/free-instead.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { findBusinessDay } from '#web/lib/business-day.ts'
import { toMoneyText } from '#web/lib/format.ts'
import { DateField } from '#web/ui/date-field/date-field.tsx'
import { FieldRow, FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { LookupField } from '#web/ui/lookup-field/lookup-field.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { SwitchField } from '#web/ui/switch-field/switch-field.tsx'
import styles from './booking.module.css'
import { useShowBooking } from './use-booking-action.ts'

const LISTED = 30
const toOption = (mark: string) => ({ value: mark, label: toClockLabel(mark) })

type Values = {
  podId: string | null
  podTitle: string
  bookingDate: string
  startTime: string
  endTime: string
  causedByUs: boolean
}

/** Pod, date, start and end of a booking; says what it costs and what is in its way before it is saved (rules §27.5). */
export function MoveDialog({ booking, onClose }: { booking: BookingPage; onClose: () => void }) {
  const hasBegun = booking.startTime <= booking.businessNow
  const show = useShowBooking()
  const queryClient = useQueryClient()
  const [startTime, endTime] = toMarks(booking)
  const initialValues: Values = {
    podId: booking.podId,
    podTitle: booking.podTitle,
    bookingDate: booking.bookingDate,
    startTime,
    endTime,
    causedByUs: false,
  }
  const { form, modal } = useFormDialog({
    initialValues,
    edits: { entity: 'booking', id: booking._id },
    save: async (values) => {
      try {
        const body = { ...toQuestion(values), version: booking.version }
        const response = await submit('bookingActions', 'move', { params: { id: booking._id }, body })
        await show(response)
        return response
      } catch (error) {
        // Taken meanwhile: the question is asked again, and says what is free instead.
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
  const question = toQuestion(values)
  const isChanged = form.isDirty()
  const isWhole = values.podId !== null && values.bookingDate !== '' && question.endTime > question.startTime
  const preview = useQuery({
    queryKey: ['bookingActions', 'previewMove', booking._id, booking.version, question],
    queryFn: ({ signal }) =>
      api('bookingActions', 'previewMove', { params: { id: booking._id }, body: question, signal }),
    enabled: isChanged && isWhole,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const quote = isChanged && isWhole ? preview.data?.data : undefined
  const [search, setSearch] = useState('')
  const [isOpened, setOpened] = useState(false)
  const pods = useQuery({
    ...apiQuery('pods', 'list', { query: { page: 1, limit: LISTED, sort: 'title', status: 'active', search } }),
    enabled: isOpened,
    placeholderData: keepPreviousData,
  })

  /** The end keeps its distance, so that a move is one choice. */
  function setStart(startTime: string) {
    const length = toMinutes(values.endTime) - toMinutes(values.startTime)
    const end = marks[marks.indexOf(startTime) + length / 15]
    form.setValues({ startTime, ...(end === undefined ? {} : { endTime: end }) })
  }

  return (
    <FormModal
      title={hasBegun ? 'Extend or shorten' : 'Move booking'}
      width={500}
      submitLabel={quote && quote.difference > 0 ? `Save, ${toMoneyText(quote.difference)} more` : 'Save'}
      submitDisabled={!isChanged || !isWhole || (quote !== undefined && quote.reasons.length > 0)}
      {...modal}
    >
      <LookupField
        label="Pod"
        required
        disabled={hasBegun}
        selected={values.podId === null ? undefined : { value: values.podId, label: values.podTitle }}
        lookup={{
          options: (pods.data?.data ?? []).map(({ _id, title, location }) => ({
            value: _id,
            label: title,
            detail: `${location.name}, ${location.city}`,
          })),
          onSearch: setSearch,
          onOpen: () => setOpened(true),
          loading: pods.isFetching,
          problem: pods.error && toProblem(pods.error),
          onRetry: () => void pods.refetch(),
          nothingFound: 'No pod found',
        }}
        value={values.podId}
        onChange={(podId) => {
          const pod = pods.data?.data.find(({ _id }) => _id === podId)
          form.setValues({ podId, podTitle: pod?.title ?? values.podTitle })
        }}
        error={form.errors.podId}
      />
      <DateField
        label="Date"
        required
        min={findBusinessDay()}
        findToday={findBusinessDay}
        disabled={hasBegun}
        {...form.getInputProps('bookingDate')}
      />
      <FieldRow>
        <NativeSelect
          label="Start"
          disabled={hasBegun}
          options={marks.slice(0, -1).map(toOption)}
          value={values.startTime}
          onChange={setStart}
          error={form.errors.startTime}
        />
        <NativeSelect label="End" options={marks.slice(1).map(toOption)} {...form.getInputProps('endTime')} />
      </FieldRow>
      {booking.price !== null && (
        <SwitchField
          label="Caused by us: the price stays"
          checked={values.causedByUs}
          onChange={(checked) => form.setFieldValue('causedByUs', checked)}
        />
      )}
      <div aria-live="polite" className={styles.answer}>
        {!isWhole && values.bookingDate !== '' && <p className={styles.refused}>The end is not after the start.</p>}
        {preview.error && isChanged && isWhole && <p className={styles.refused}>{toProblem(preview.error).message}</p>}
        {quote && quote.reasons.length === 0 && <p className={styles.quote}>{toPriceText(quote)}</p>}
        {quote && quote.reasons.length > 0 && (
          <>
            <ul className={styles.refused}>
              {[...new Set(quote.reasons.map(({ message }) => message))].map((message) => (
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
              onPod={({ podId, podTitle }) => form.setValues({ podId, podTitle })}
            />
          </>
        )}
      </div>
    </FormModal>
  )
}

function toPriceText({
  price,
  newPrice,
  difference,
}: {
  price: number | null
  newPrice: number | null
  difference: number
}): string {
  if (price === null || newPrice === null) return 'It is free then. Nothing is to be paid for it.'
  if (difference === 0) return `It is free then. The price stays ${toMoneyText(price)}.`
  const more = difference > 0 ? 'more to pay' : 'to be given back'
  return `It is free then. ${toMoneyText(newPrice)} instead of ${toMoneyText(price)}: ${toMoneyText(Math.abs(difference))} ${more}.`
}

function toQuestion({ podId, bookingDate, startTime, endTime, causedByUs }: Values) {
  const day = bookingDate === '' ? findBusinessDay() : bookingDate
  return {
    podId: podId ?? '',
    bookingDate: day,
    startTime: toWireTime(day, startTime),
    endTime: toWireTime(day, endTime),
    causedByUs,
  }
}
