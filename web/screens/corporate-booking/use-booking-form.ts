import { useBlocker } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { toRequiredMessage } from '#contract/errors.ts'
import { useMay } from '#web/api/may.ts'
import { findBookedForErrors } from '#web/components/booked-for/booked-for.ts'
import { usePrice } from '#web/components/booking/use-price.ts'
import { focusFirstError } from '#web/ui/form-modal/form-modal.tsx'
import { askToDiscard, hasUnsaved, useUnsaved } from '#web/ui/unsaved.ts'
import { toBookedMinutes, toBookingBody } from './booking-words.ts'
import { useSendCode } from './send-code.tsx'
import { POD_GONE, useChosenPod } from './use-chosen-pod.ts'
import { useCreateBooking } from './use-create-booking.ts'
import type { Prefill } from './use-prefill.ts'
import { useTimes } from './use-times.ts'

/** The booking that is filled in: its fields with their errors, what it will cost, and sending it. */
export function useBookingForm(prefill: Prefill) {
  const [purpose, setPurpose] = useState(prefill.purpose)
  const { create, isPending, refusal, forgetRefusal } = useCreateBooking()
  const { pod, lookup, chooseOption, chooseById } = useChosenPod(prefill.pod, clearMessages)
  const mayBook = useMay().call('bookings.createFor')
  const times = useTimes(prefill, pod, mayBook)
  const [bookedFor, setBookedFor] = useState(prefill.bookedFor)
  const [note, setNote] = useState('')
  const sendCode = useSendCode(bookedFor)
  const [tried, setTried] = useState(false)
  const [isEarly, setEarly] = useState(false)
  const [overrideReason, setOverrideReason] = useState('')

  const bookedForErrors = findBookedForErrors(bookedFor)
  const errors = {
    purpose: purpose === null ? toRequiredMessage('Purpose') : undefined,
    pod: pod === undefined ? toRequiredMessage('Pod selection') : undefined,
    ...times.errors,
    override: times.isOutsideHours && overrideReason.trim() === '' ? toRequiredMessage('Reason') : undefined,
    ...bookedForErrors,
  }
  const isSold = bookedFor.kind !== 'me'
  const { price, priceQuery } = usePrice(pod, toBookedMinutes(times.selection), isSold)
  const isFilledIn = Object.values(errors).every((error) => error === undefined)
  const isUnpriced = isFilledIn && isSold && price === undefined
  const isBookable = isFilledIn && !isUnpriced && times.isComplete
  const refused = refusal?.fields ?? {}

  useUnsaved(
    mayBook &&
      (times.isChanged ||
        purpose !== prefill.purpose ||
        pod !== prefill.pod ||
        bookedFor !== prefill.bookedFor ||
        overrideReason !== '' ||
        note !== ''),
  )
  useAskBeforeStartingOver()

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
      time: toBookingBody(purpose ?? '', times.date, times.selection),
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

  return {
    mayBook,
    times,
    change,
    chosen: { pod, purpose, bookedFor },
    chooseById,
    bookedFor: {
      value: bookedFor,
      onChange: (value: typeof bookedFor) => change(() => setBookedFor(value)),
      errors: { ...(tried ? bookedForErrors : {}), ...refused },
    },
    purpose: {
      value: purpose ?? '',
      onChange: (value: string) => change(() => setPurpose(value)),
      error: (tried && errors.purpose) || refused.bookingPurpose,
    },
    pod: {
      lookup,
      value: pod?._id ?? null,
      onChange: chooseOption,
      error: (times.availability.isPodGone && POD_GONE) || (tried && errors.pod),
    },
    date: {
      value: times.date,
      onChange: (value: string) => change(() => times.setDate(value)),
      error: (tried && errors.date) || refused.bookingDate,
    },
    slots: {
      /** What is wrong with the marks that are chosen; `refused` is what the server said of the time. */
      error: (tried || times.selection.length > 0) && errors.slots,
      refused: refused.startTime || refused.endTime,
    },
    override: {
      value: overrideReason,
      onChange: (text: string) => change(() => setOverrideReason(text)),
      error: (tried && errors.override) || refused.overrideReason,
    },
    note: { value: note, onChange: (text: string) => change(() => setNote(text)), error: refused.note },
    sendCode,
    isSold,
    tried,
    price: { price, priceQuery },
    submit,
    isPending,
    refusal,
    /** Why nothing was sent although all is filled in. */
    isTooEarly: isEarly && times.isLoading ? 'loading' : isEarly && isUnpriced ? 'unpriced' : undefined,
  } as const
}

/** Asks before another link to this screen empties the form, which the leave guard takes for another view of the same. */
function useAskBeforeStartingOver(): void {
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      const startsOver =
        current.pathname === next.pathname && JSON.stringify(current.search) !== JSON.stringify(next.search)
      return startsOver && hasUnsaved() && !(await askToDiscard())
    },
    enableBeforeUnload: false,
  })
}
