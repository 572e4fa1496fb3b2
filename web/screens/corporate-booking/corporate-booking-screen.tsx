import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { toRequiredMessage } from '#contract/errors.ts'
import type { Pod } from '#contract/pods.ts'
import { findSubmitError, type Selection } from '#contract/slot-selection.ts'
import { purposes, SUBMIT_THROTTLE_MS } from '#contract/slots.ts'
import { api } from '#web/api/client.ts'
import { useIsRetrying } from '#web/api/connection.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { CONNECTION_LOST } from '#web/components/use-form-dialog.ts'
import { findBusinessDay } from '#web/lib/business-day.ts'
import { isDay } from '#web/lib/days.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { useGoTo } from '#web/lib/link.tsx'
import { qrPath } from '#web/paths.ts'
import { Button } from '#web/ui/button/button.tsx'
import { DateField } from '#web/ui/date-field/date-field.tsx'
import { LookupField } from '#web/ui/lookup-field/lookup-field.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Page } from '#web/ui/panel/panel.tsx'
import { type Problem, toProblem } from '#web/ui/problem.ts'
import { ErrorSummary } from '#web/ui/state-messages/state-messages.tsx'
import { useUnsaved } from '#web/ui/unsaved.ts'
import { BookingSummary } from './booking-summary.tsx'
import { toBookingBody, toDroppedText } from './booking-words.ts'
import styles from './corporate-booking.module.css'
import { fitSelection } from './slot-fit.ts'
import { SlotsField } from './slots-field.tsx'
import { TimeSlotsDialog } from './time-slots-dialog.tsx'
import { useAvailability } from './use-availability.ts'
import { toPodOption, usePodLookup } from './use-pod-lookup.tsx'

const bodyFields = ['bookingPurpose', 'bookingDate', 'startTime', 'endTime'] as const

const purposeOptions = purposes.map((purpose) => ({ value: purpose, label: purpose }))

type Refusal = { problem: Problem; fields: Partial<Record<(typeof bodyFields)[number], string>> }

/** Page 9 (rules §4.13). Dates and times are the pod's own wall clock throughout (rules §1.1). */
export function CorporateBookingScreen() {
  useDocumentTitle('Corporate Booking')
  const [purpose, setPurpose] = useState<string | null>(null)
  const [pod, setPod] = useState<Pod>()
  const [today] = useState(findBusinessDay)
  const [date, setDate] = useState(today)
  const [chosen, setChosen] = useState<Selection>([])
  const [choosing, setChoosing] = useState(false)
  const [tried, setTried] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const lastSent = useRef(Number.NEGATIVE_INFINITY)
  const { lookup, pods } = usePodLookup()
  const availability = useAvailability(pod?._id ?? null, date)
  const { rules } = availability
  const queryClient = useQueryClient()
  const goTo = useGoTo()
  const isRetrying = useIsRetrying()

  const { kept: selection, dropped } = rules ? fitSelection(chosen, rules) : { kept: chosen, dropped: [] }
  const errors = {
    purpose: purpose === null ? toRequiredMessage('Purpose') : undefined,
    pod: pod === undefined ? toRequiredMessage('Pod selection') : undefined,
    date: isDay(date) ? undefined : toRequiredMessage('Date'),
    slots: rules && findSubmitError(selection, rules),
  }
  const isBookable = rules !== undefined && Object.values(errors).every((error) => error === undefined)

  useUnsaved(purpose !== null || pod !== undefined || date !== today || chosen.length > 0)

  const book = useMutation({
    mutationFn: (podId: string) =>
      api('bookings', 'create', { params: { podId }, body: toBookingBody(purpose ?? '', date, selection) }),
    onSuccess: async ({ data }) => {
      goTo(qrPath(data.booking._id), { isSaved: true })
      await queryClient.invalidateQueries({ queryKey: ['bookings'] })
    },
    onError: async (error) => {
      const { fields } = toFormErrors(error, bodyFields)
      const title = 'Error: An error occurred while creating the booking'
      setRefusal({ problem: { ...toProblem(error), title }, fields })
      // Someone was quicker, or the pod is closed by now: show what is free at this moment.
      await queryClient.invalidateQueries({ queryKey: ['bookings', 'availability'] })
    },
  })

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setTried(true)
    if (!isBookable || pod === undefined || book.isPending) return
    // At most once in three seconds (rules §4.14).
    if (performance.now() - lastSent.current < SUBMIT_THROTTLE_MS) return
    lastSent.current = performance.now()
    setRefusal(undefined)
    book.mutate(pod._id)
  }

  /** What was refused no longer stands once something is changed. */
  function change(apply: () => void) {
    setRefusal(undefined)
    apply()
  }

  const slotsNote = toDroppedText(dropped)
  const showsSlotsError = tried || selection.length > 0
  return (
    <Page>
      <PageHeader title="Corporate Booking" description="Book a pod for a colleague or a guest." />
      <div className={styles.layout}>
        <form className={styles.form} onSubmit={submit} noValidate aria-label="Corporate Booking">
          {refusal && <ErrorSummary problem={refusal.problem} />}
          <NativeSelect
            label="Purpose"
            placeholder="Select Purpose"
            required
            options={purposeOptions}
            value={purpose ?? ''}
            onChange={(value) => change(() => setPurpose(value))}
            error={(tried && errors.purpose) || refusal?.fields.bookingPurpose}
          />
          <LookupField
            label="Pod"
            placeholder="Select Pod"
            required
            lookup={lookup}
            selected={pod && toPodOption(pod)}
            value={pod?._id ?? null}
            onChange={(id) => change(() => setPod(pods.find((pod) => pod._id === id)))}
            error={tried && errors.pod}
          />
          <DateField
            label="Date"
            required
            min={today}
            findToday={findBusinessDay}
            value={date}
            onChange={(value) => change(() => setDate(value))}
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
          <div className={styles.actions}>
            <Button variant="primary" type="submit" loading={book.isPending}>
              {book.isPending ? 'Processing...' : 'Create Booking'}
            </Button>
            <output>{book.isPending && isRetrying && CONNECTION_LOST}</output>
          </div>
        </form>
        <BookingSummary pod={pod} purpose={purpose} date={date} selection={selection} />
      </div>
      {choosing && (
        <TimeSlotsDialog
          selection={selection}
          availability={availability}
          note={slotsNote ?? (pod ? undefined : 'Choose a pod to see which times are booked.')}
          onChange={(next) => change(() => setChosen(next))}
          onClose={() => setChoosing(false)}
        />
      )}
    </Page>
  )
}
