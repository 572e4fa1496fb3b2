import { useBlocker } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { toRequiredMessage } from '#contract/errors.ts'
import { purposes } from '#contract/slots.ts'
import type { ApiError } from '#web/api/api-error.ts'
import { useIsRetrying } from '#web/api/connection.ts'
import { useMay } from '#web/api/may.ts'
import { BookedForFields } from '#web/components/booked-for/booked-for-fields.tsx'
import { findBookedForErrors } from '#web/components/booked-for/booked-for.ts'
import { usePrice } from '#web/components/booking/use-price.ts'
import { FreeInstead, FreePods } from '#web/components/free-instead.tsx'
import { OverrideReason } from '#web/components/override-reason.tsx'
import { CONNECTION_LOST } from '#web/components/use-form-dialog.ts'
import { getBusinessDay } from '#web/lib/business-day.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { useUrlState } from '#web/lib/url-state.ts'
import { Button } from '#web/ui/button/button.tsx'
import { DateField } from '#web/ui/date-field/date-field.tsx'
import { TextAreaField } from '#web/ui/field/fields.tsx'
import { focusFirstError } from '#web/ui/form-modal/form-modal.tsx'
import { LookupField } from '#web/ui/lookup-field/lookup-field.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Page } from '#web/ui/panel/panel.tsx'
import { FullScreenSpinner } from '#web/ui/spinner/spinner.tsx'
import { ErrorSummary } from '#web/ui/state-messages/state-messages.tsx'
import { askToDiscard, hasUnsaved, useUnsaved } from '#web/ui/unsaved.ts'
import { BookingSummary } from './booking-summary.tsx'
import { toBookedMinutes, toBookingBody, toDroppedText } from './booking-words.ts'
import styles from './corporate-booking.module.css'
import { DayStrip } from './day-strip.tsx'
import { RepeatFields } from './repeat-fields.tsx'
import { SendCodeField, useSendCode } from './send-code.tsx'
import { SlotsField } from './slots-field.tsx'
import { TimeSlotsDialog } from './time-slots-dialog.tsx'
import { useChosenPod } from './use-chosen-pod.ts'
import { useCreateBooking } from './use-create-booking.ts'
import { toPodOption } from './use-pod-lookup.tsx'
import { type Prefill, prefillParams, usePrefill } from './use-prefill.ts'
import { useTimes } from './use-times.ts'

const purposeOptions = purposes.map((purpose) => ({ value: purpose, label: purpose }))

/** Screen of page 9 (rules §4.13, §29.5). All dates and times are on the pod's wall clock (rules §1.1). */
export function CorporateBookingScreen() {
  useDocumentTitle('Corporate Booking')
  const [asked] = useUrlState(prefillParams)
  // Another link starts a new form.
  return <PrefilledForm key={JSON.stringify(asked)} asked={asked} />
}

function PrefilledForm({ asked }: { asked: Parameters<typeof usePrefill>[0] }) {
  const prefill = usePrefill(asked)
  return prefill ? <BookingForm prefill={prefill} /> : <FullScreenSpinner />
}

/** The form. `prefill` only sets its initial values. */
function BookingForm({ prefill }: { prefill: Prefill }) {
  const [purpose, setPurpose] = useState(prefill.purpose)
  const { create, isPending, refusal, forgetRefusal } = useCreateBooking()
  const { pod, lookup: pods, chooseOption, chooseById } = useChosenPod(prefill.pod, clearMessages)
  const may = useMay()
  const mayBook = may.call('bookings.createFor')
  const times = useTimes(prefill, pod, mayBook)
  const { date, selection, availability, series } = times
  const [bookedFor, setBookedFor] = useState(prefill.bookedFor)
  const [note, setNote] = useState('')
  const sendCode = useSendCode(bookedFor)
  const [choosing, setChoosing] = useState(false)
  const [tried, setTried] = useState(false)
  const [isEarly, setEarly] = useState(false)
  const [overrideReason, setOverrideReason] = useState('')
  const isRetrying = useIsRetrying()

  const errors = {
    purpose: purpose === null ? toRequiredMessage('Purpose') : undefined,
    pod: pod === undefined ? toRequiredMessage('Pod selection') : undefined,
    ...times.errors,
    override: times.isOutsideHours && overrideReason.trim() === '' ? toRequiredMessage('Reason') : undefined,
    ...findBookedForErrors(bookedFor),
  }
  const isSold = bookedFor.kind !== 'me'
  const { price, priceQuery } = usePrice(pod, toBookedMinutes(selection), isSold)
  const isFilledIn = Object.values(errors).every((error) => error === undefined)
  const isUnpriced = isFilledIn && isSold && price === undefined
  const isBookable = isFilledIn && !isUnpriced && times.isComplete
  const bookedForErrors = { ...(tried ? findBookedForErrors(bookedFor) : {}), ...refusal?.fields }

  useUnsaved(
    mayBook &&
      (times.isChanged ||
        purpose !== prefill.purpose ||
        pod !== prefill.pod ||
        bookedFor !== prefill.bookedFor ||
        overrideReason !== '' ||
        note !== ''),
  )

  // The leave guard takes another link to this screen for another view of the same form.
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      const startsOver =
        current.pathname === next.pathname && JSON.stringify(current.search) !== JSON.stringify(next.search)
      return startsOver && hasUnsaved() && !(await askToDiscard())
    },
    enableBeforeUnload: false,
  })

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    // The same once more: by now its own time may be shown as taken.
    if (refusal?.lost) return create(refusal.lost)
    setTried(true)
    setEarly((times.isLoading || isUnpriced) && isFilledIn)
    const form = event.currentTarget
    // What is missing may be off the screen. The errors are rendered with the next frame.
    if (!isBookable) requestAnimationFrame(() => focusFirstError(form))
    if (!mayBook || !isBookable || pod === undefined) return
    create({
      podId: pod._id,
      time: toBookingBody(purpose ?? '', date, selection),
      bookedFor,
      price,
      note,
      sendCode: sendCode.value,
      overrideReason: times.isOutsideHours ? overrideReason : undefined,
      series: times.newSeries,
    })
  }

  function clearMessages() {
    forgetRefusal()
    setEarly(false)
  }

  /** Applies a change and clears the messages, which no longer apply. */
  function change(apply: () => void) {
    clearMessages()
    apply()
  }

  const toOffers = (free: NonNullable<ApiError['free']>) => (
    <FreeInstead
      free={free}
      date={date}
      onTime={(time) => change(() => times.take(time))}
      onPod={({ podId }) => chooseById(podId)}
    />
  )

  const freeThen = times.isPrefilled && !refusal ? prefill.freeThen : undefined
  const slotsNote = toDroppedText(times.dropped)
  const showsSlotsError = tried || selection.length > 0
  return (
    <Page>
      <PageHeader
        title="Corporate Booking"
        description={mayBook ? 'Book a pod for a colleague or a guest.' : 'When pods are free.'}
      />
      <div className={styles.layout}>
        <form className={styles.form} onSubmit={submit} noValidate aria-label="Corporate Booking">
          {refusal && <ErrorSummary problem={refusal.problem} />}
          {refusal?.free && toOffers(refusal.free)}
          {freeThen &&
            (freeThen.length > 0 ? (
              <FreePods pods={freeThen} onPod={({ podId }) => chooseById(podId)} />
            ) : (
              <output className={styles.note}>No other pod is free at this time. Choose a pod and another time.</output>
            ))}
          {mayBook && (
            <>
              <BookedForFields
                value={bookedFor}
                onChange={(value) => change(() => setBookedFor(value))}
                errors={bookedForErrors}
              />
              <NativeSelect
                label="Purpose"
                placeholder="Select Purpose"
                required
                options={purposeOptions}
                value={purpose ?? ''}
                onChange={(value) => change(() => setPurpose(value))}
                error={(tried && errors.purpose) || refusal?.fields.bookingPurpose}
              />
            </>
          )}
          <LookupField
            label="Pod"
            placeholder="Select Pod"
            required
            lookup={pods}
            selected={pod && toPodOption(pod)}
            value={pod?._id ?? null}
            onChange={chooseOption}
            error={tried && errors.pod}
          />
          <DateField
            label="Date"
            required
            min={getBusinessDay()}
            getToday={getBusinessDay}
            value={date}
            onChange={(value) => change(() => times.setDate(value))}
            error={(tried && errors.date) || refusal?.fields.bookingDate}
          />
          <SlotsField
            selection={selection}
            note={slotsNote}
            error={
              (!choosing && showsSlotsError && errors.slots) || refusal?.fields.startTime || refusal?.fields.endTime
            }
            availability={availability}
            onOpen={() => setChoosing(true)}
          />
          {times.freeInstead && !refusal?.free && !refusal?.lost && toOffers(times.freeInstead)}
          {times.isOutsideHours && (
            <OverrideReason
              value={overrideReason}
              onChange={(text) => change(() => setOverrideReason(text))}
              error={(tried && errors.override) || refusal?.fields.overrideReason}
            />
          )}
          {pod && availability.rules && <DayStrip rules={availability.rules} selection={selection} />}
          {mayBook && (
            <>
              <RepeatFields
                value={times.repeats}
                onToggle={(isOn) => change(() => times.toggleRepeats(isOn))}
                onChange={(value) => change(() => times.setRepeats(value))}
                series={series}
                date={date}
                getToday={getBusinessDay}
                isSold={isSold}
                tried={tried}
                errors={refusal?.fields ?? {}}
              />
              <TextAreaField
                label="Note for the visit"
                rows={2}
                value={note}
                onChange={(text) => change(() => setNote(text))}
                error={refusal?.fields.note}
              />
              <SendCodeField sendCode={sendCode} />
              <div className={styles.actions}>
                <Button variant="primary" type="submit" loading={isPending}>
                  {isPending ? 'Processing...' : 'Create Booking'}
                </Button>
                <output>
                  {isPending && isRetrying && CONNECTION_LOST}
                  {isEarly && times.isLoading && 'What is free is still loading. Try again in a moment.'}
                  {isEarly && !times.isLoading && isUnpriced && 'Nothing is booked before its price is shown.'}
                </output>
              </div>
            </>
          )}
        </form>
        {mayBook && (
          <BookingSummary
            {...{ pod, purpose, date, selection, bookedFor, price, priceQuery }}
            isRepeated={times.repeats !== undefined}
          />
        )}
      </div>
      {choosing && (
        <TimeSlotsDialog
          selection={selection}
          availability={availability}
          note={slotsNote ?? (pod ? undefined : 'Choose a pod to see which times are booked.')}
          hours={
            availability.outsideHours.length > 0 && may.changeRecords('booking') && times.repeats === undefined
              ? {
                  isIgnored: times.ignoresHours,
                  onChange: (isIgnored) => change(() => times.setIgnoresHours(isIgnored)),
                }
              : undefined
          }
          onChange={(next) => change(() => times.select(next))}
          onClose={() => setChoosing(false)}
        />
      )}
    </Page>
  )
}
