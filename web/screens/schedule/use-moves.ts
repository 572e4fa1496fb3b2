import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MoveQuote } from '#contract/booking-actions.ts'
import { toMark, toMarks, toMinutes, toWireTime } from '#contract/slots.ts'
import { ApiError } from '#web/api/api-error.ts'
import { api } from '#web/api/client.ts'
import type { ApiResponse } from '#web/api/request-types.ts'
import { useReloadBookings } from '#web/components/booking/use-booking-action.ts'
import { showFailedAction } from '#web/components/failed-action.ts'
import { toFreePodText } from '#web/components/free-pod-words.ts'
import { areHoursAlone } from '#web/components/override-reason.tsx'
import { showChanged } from '#web/components/undo.ts'
import { toProblem } from '#web/ui/problem.ts'
import { type Proposal } from './proposal.ts'
import { type Booked, toBookedKey } from './rows.ts'
import { toSpanText } from './schedule-texts.ts'
import { useBookingId } from './use-booking-id.ts'

/** A dropped booking whose move is not saved yet. */
export type Move = Proposal & { booked: Booked }

type Found = { _id: string; version: number }

/** A question before a move that changes the price, notifies the customer, or is outside the opening hours. */
export type MoveQuestion = {
  move: Move
  quote: MoveQuote
  confirm: () => Promise<void>
  /** Saves the move without showing a toast. */
  save: (overrideReason?: string) => Promise<ApiResponse<object>>
  putBack: () => void
}

/** Converts a proposal to the interval of a request's body. */
export function toInterval({ row, start, end }: Proposal) {
  return {
    podId: row.podId,
    bookingDate: row.date,
    startTime: toWireTime(row.date, toMark(start)),
    endTime: toWireTime(row.date, toMark(end)),
  }
}

/**
 * Moves bookings. Each is shown at its new place at once, and goes back when the server refuses. Asks first when the
 * price changes, the customer will be notified, or only the opening hours are in the way.
 */
export function useMoves(ask: (question: MoveQuestion) => void) {
  const queryClient = useQueryClient()
  const reload = useReloadBookings()
  const findBookingId = useBookingId()
  const [moves, setMoves] = useState<readonly Move[]>([])
  /** Keys of bookings moved in this tab, before and after the move; they do not count as changed by others. */
  const [own, setOwn] = useState<ReadonlySet<string>>(new Set())

  async function drop(proposal: Proposal): Promise<void> {
    const { booked } = proposal
    if (!booked) return
    const move: Move = { ...proposal, booked }
    const putBack = () => setMoves((others) => others.filter((other) => other !== move))
    setMoves((others) => [...others, move])
    setOwn((keys) => new Set([...keys, booked.key, toBookedKey(move.row, move.start)]))
    try {
      const found = await findBookingId(booked)
      if (!found) return putBack()
      const quote = await preview(move, found)
      const [reason] = quote.reasons
      if (reason && !areHoursAlone(quote.reasons)) throw toRefusal(reason.message, quote.free)
      if (quote.difference === 0 && !quote.notifies && !reason)
        showChanged(toMovedText(move), await save(move, found, quote).finally(putBack))
      else askAbout(move, found, quote, putBack)
    } catch (error) {
      putBack()
      const text = `${booked.who} stays where it was. ${toProblem(error).message}`
      showFailedAction(error, () => void drop(proposal), { text })
      await queryClient.invalidateQueries({ queryKey: ['schedule'] })
    }
  }

  async function preview(move: Move, { _id }: Found): Promise<MoveQuote> {
    return (await api('bookingActions', 'previewMove', { params: { id: _id }, body: toInterval(move) })).data
  }

  function askAbout(move: Move, found: Found, quote: MoveQuote, putBack: () => void): void {
    const trySave = async (overrideReason?: string) => {
      try {
        return await save(move, found, quote, overrideReason)
      } catch (error) {
        // The open question then shows the present price beside the error.
        if (error instanceof ApiError && error.code === 'price_changed')
          askAbout(move, found, await preview(move, found), putBack)
        throw error
      }
    }
    const confirm = async () => showChanged(toMovedText(move), await trySave().finally(putBack))
    ask({ move, quote, confirm, save: trySave, putBack })
  }

  async function save(move: Move, { _id, version }: Found, { newPrice }: MoveQuote, overrideReason?: string) {
    const body = { ...toInterval(move), version, newPrice: newPrice ?? undefined, overrideReason }
    const response = await api('bookingActions', 'move', { params: { id: _id }, body }).catch((error: unknown) => {
      throw error instanceof ApiError && error.free ? toRefusal(error.message, error.free) : error
    })
    await reload()
    return response
  }

  return { moves, own, drop: (proposal: Proposal) => void drop(proposal) }
}

/** Returns the message after a move. */
export function toMovedText({ kind, booked, from, row, ...span }: Move): string {
  const verb = kind === 'resize' ? 'is now' : from?.key === row.key ? 'moved to' : `moved to ${row.name},`
  return `${booked.who} ${verb} ${toSpanText(span)}`
}

/** Returns the error of a move that does not fit, which says what is free instead. */
function toRefusal(message: string, { times, pods }: MoveQuote['free']): ApiError {
  const starts = times.map((time) => {
    const [start, end] = toMarks(time)
    return `${time.startTime.slice(0, 10)} ${toSpanText({ start: toMinutes(start), end: toMinutes(end) })}`
  })
  const others = pods.map((pod) => toFreePodText(pod))
  const offers = [
    ...(starts.length > 0 ? [`Free in this pod: ${starts.join('; ')}.`] : []),
    ...(others.length > 0 ? [`Free at this time: ${others.join('; ')}.`] : []),
  ]
  return new ApiError({ status: 409, code: 'conflict', message: [message, ...offers].join(' ') })
}
