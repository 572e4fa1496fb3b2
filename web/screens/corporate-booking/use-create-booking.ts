import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { SeriesChoice } from '#contract/series.ts'
import { SUBMIT_THROTTLE_MS } from '#contract/slots.ts'
import { ApiError } from '#web/api/api-error.ts'
import { api } from '#web/api/client.ts'
import { isLost } from '#web/api/retry.ts'
import { type BookedFor, toBookFor } from '#web/components/booked-for/booked-for.ts'
import { useReloadPrices } from '#web/components/booking/use-price.ts'
import { useGoTo } from '#web/lib/link.tsx'
import { useIsShown } from '#web/lib/use-is-shown.ts'
import { qrPath } from '#web/paths.ts'
import { type Problem, toProblem } from '#web/ui/problem.ts'
import { showFailure, showSuccess } from '#web/ui/toasts/toasts.ts'
import type { toBookingBody } from './booking-words.ts'
import type { Question } from './repeats.ts'

type NewBooking = {
  podId: string
  time: ReturnType<typeof toBookingBody>
  bookedFor: BookedFor
  /** In ZAR, as shown; undefined for bookings that are not sold. */
  price: number | undefined
  note: string
  sendCode: boolean | undefined
  /** Set to book outside opening hours. */
  overrideReason: string | undefined
  series: { question: Question; choices: SeriesChoice[] } | undefined
}

/**
 * Why a booking was refused. `fields` has messages by the names of the request; `free` what is free instead. `lost` is
 * the booking itself when no response came: it may have been made.
 */
type Refusal = {
  problem: Problem
  fields: Readonly<Record<string, string>>
  free: ApiError['free']
  lost: NewBooking | undefined
}

/** Creates a booking or a series, and then shows its code. Keeps why the last one was refused until `forgetRefusal`. */
export function useCreateBooking() {
  const queryClient = useQueryClient()
  const reloadPrices = useReloadPrices()
  const goTo = useGoTo()
  const [refusal, setRefusal] = useState<Refusal>()
  const isShown = useIsShown()
  const lastSent = useRef(Number.NEGATIVE_INFINITY)
  const { mutate, isPending } = useMutation({
    mutationFn: createBooking,
    onSuccess: async (bookingId) => {
      const href = qrPath(bookingId)
      if (isShown.current) goTo(href, { isSaved: true })
      // Left while it was being sent: on another screen something else may have been typed by now.
      else showSuccess('The booking was made after all', { link: { label: 'Show its code', href, follow: goTo } })
      await queryClient.invalidateQueries({ queryKey: ['bookings'] })
    },
    onError: async (error, booking) => {
      const known = error instanceof ApiError ? error : undefined
      const fields = Object.fromEntries(known?.fields.map(({ path, message }) => [path, message]) ?? [])
      const title = 'Error: An error occurred while creating the booking'
      const hasNoResponse = isLost(error)
      const { message, ...others } = toProblem(error)
      const hint = hasNoResponse ? ' If it was booked after all, it is not booked twice.' : ''
      const problem = { ...others, title, message: `${message}${hint}` }
      if (!isShown.current) showFailure(`${title}. ${problem.message}`, problem)
      // What is free by now may leave out the booking's own time, and offer another for it.
      if (hasNoResponse) return setRefusal({ problem, fields, free: undefined, lost: booking })
      setRefusal({ problem, fields, free: known?.free, lost: undefined })
      // Someone else was quicker, or the pod is closed by now: refetch what is free.
      await queryClient.invalidateQueries({ queryKey: ['bookings', 'availability'] })
      await queryClient.invalidateQueries({ queryKey: ['series'] })
      if (known?.code === 'price_changed') await reloadPrices()
    },
  })

  /** Sends the booking, at most once every three seconds (rules §4.14). */
  function create(booking: NewBooking) {
    if (isPending || performance.now() - lastSent.current < SUBMIT_THROTTLE_MS) return
    lastSent.current = performance.now()
    setRefusal(undefined)
    mutate(booking)
  }

  return { create, isPending, refusal, forgetRefusal: () => setRefusal(undefined) }
}

/** Returns the id of the booking, or of the first of a series. */
async function createBooking(booking: NewBooking): Promise<string> {
  const { podId, time, bookedFor, price, note, sendCode, overrideReason, series } = booking
  const override = overrideReason === undefined ? {} : { overrideReason }
  const visit = { ...time, ...override, podId, for: toBookFor(bookedFor), price, note, sendCode }
  if (series) {
    const body = { ...visit, ...series.question, choices: series.choices }
    const { data } = await api('series', 'create', { body })
    showSuccess(data.message)
    return data.series.bookings[0]?._id ?? ''
  }
  // A plain booking for oneself uses the endpoint of the specification.
  const isPlain = bookedFor.kind === 'me' && note.trim() === '' && !sendCode && overrideReason === undefined
  const { data } = isPlain
    ? await api('bookings', 'create', { params: { podId }, body: time })
    : await api('bookings', 'createFor', { body: visit })
  return data.booking._id
}
