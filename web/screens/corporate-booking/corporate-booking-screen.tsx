import { useState } from 'react'
import { purposes } from '#contract/slots.ts'
import type { ApiError } from '#web/api/api-error.ts'
import { useIsRetrying } from '#web/api/connection.ts'
import { useMay } from '#web/api/may.ts'
import { BookedForFields } from '#web/components/booked-for/booked-for-fields.tsx'
import { FreeInstead, FreePods } from '#web/components/free-instead.tsx'
import { OverrideReason } from '#web/components/override-reason.tsx'
import { CONNECTION_LOST } from '#web/components/use-form-dialog.ts'
import { getBusinessDay } from '#web/lib/business-day.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { useUrlState } from '#web/lib/url-state.ts'
import { Button } from '#web/ui/button/button.tsx'
import { DateField } from '#web/ui/date-field/date-field.tsx'
import { TextAreaField } from '#web/ui/field/fields.tsx'
import { LookupField } from '#web/ui/lookup-field/lookup-field.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Page } from '#web/ui/panel/panel.tsx'
import { FullScreenSpinner } from '#web/ui/spinner/spinner.tsx'
import { ErrorSummary } from '#web/ui/state-messages/state-messages.tsx'
import { BookingSummary } from './booking-summary.tsx'
import { toDroppedText } from './booking-words.ts'
import styles from './corporate-booking.module.css'
import { DayStrip } from './day-strip.tsx'
import { RepeatFields } from './repeat-fields.tsx'
import { SendCodeField } from './send-code.tsx'
import { SlotsField } from './slots-field.tsx'
import { TimeSlotsDialog } from './time-slots-dialog.tsx'
import { useBookingForm } from './use-booking-form.ts'
import { toPodOption } from './use-pod-lookup.tsx'
import { type Prefill, prefillParams, usePrefill } from './use-prefill.ts'

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
  const form = useBookingForm(prefill)
  const { mayBook, times, chosen, change, chooseById, refusal, isSold, tried } = form
  const { date, selection, availability } = times
  const [choosing, setChoosing] = useState(false)
  const isRetrying = useIsRetrying()
  const may = useMay()

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
  return (
    <Page>
      <PageHeader
        title="Corporate Booking"
        description={mayBook ? 'Book a pod for a colleague or a guest.' : 'When pods are free.'}
      />
      <div className={styles.layout}>
        <form className={styles.form} onSubmit={form.submit} noValidate aria-label="Corporate Booking">
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
              <BookedForFields {...form.bookedFor} />
              <NativeSelect
                label="Purpose"
                placeholder="Select Purpose"
                required
                options={purposeOptions}
                {...form.purpose}
              />
            </>
          )}
          <LookupField
            label="Pod"
            placeholder="Select Pod"
            required
            selected={chosen.pod && toPodOption(chosen.pod)}
            {...form.pod}
          />
          <DateField label="Date" required min={getBusinessDay()} getToday={getBusinessDay} {...form.date} />
          <SlotsField
            selection={selection}
            note={slotsNote}
            error={(!choosing && form.slots.error) || form.slots.refused}
            availability={availability}
            onOpen={() => setChoosing(true)}
          />
          {times.freeInstead && !refusal?.free && !refusal?.lost && toOffers(times.freeInstead)}
          {times.isOutsideHours && <OverrideReason {...form.override} />}
          {chosen.pod && availability.rules && <DayStrip rules={availability.rules} selection={selection} />}
          {mayBook && (
            <>
              <RepeatFields
                value={times.repeats}
                onToggle={(isOn) => change(() => times.toggleRepeats(isOn))}
                onChange={(value) => change(() => times.setRepeats(value))}
                series={times.series}
                date={date}
                getToday={getBusinessDay}
                isSold={isSold}
                tried={tried}
                errors={refusal?.fields ?? {}}
              />
              <TextAreaField label="Note for the visit" rows={2} {...form.note} />
              <SendCodeField sendCode={form.sendCode} />
              <div className={styles.actions}>
                <Button variant="primary" type="submit" loading={form.isPending}>
                  {form.isPending ? 'Processing...' : 'Create Booking'}
                </Button>
                <output>
                  {form.isPending && isRetrying && CONNECTION_LOST}
                  {form.isTooEarly && tooEarlyTexts[form.isTooEarly]}
                </output>
              </div>
            </>
          )}
        </form>
        {mayBook && (
          <BookingSummary {...{ ...chosen, date, selection, ...form.price }} isRepeated={times.repeats !== undefined} />
        )}
      </div>
      {choosing && (
        <TimeSlotsDialog
          selection={selection}
          availability={availability}
          note={slotsNote ?? (chosen.pod ? undefined : 'Choose a pod to see which times are booked.')}
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

const tooEarlyTexts = {
  loading: 'What is free is still loading. Try again in a moment.',
  unpriced: 'Nothing is booked before its price is shown.',
}
