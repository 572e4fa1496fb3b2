import { useQuery } from '@tanstack/react-query'
import { toMoneyText } from '#contract/money.ts'
import { api } from '#web/api/client.ts'
import { apiQuery } from '#web/api/query.ts'
import { areHoursAlone } from '#web/components/override-reason.tsx'
import { useSettled } from '#web/lib/delayed.ts'
import { toProblem } from '#web/ui/problem.ts'
import type { Proposal } from './proposal.ts'
import { findStored } from './use-booking-id.ts'
import { toInterval } from './use-moves.ts'

const REST_MS = 120

type Quote = { text: string; isRefused: boolean }

/** Returns the server's answer for dropping a booking where it rests: the change of price, or what is in the way. */
export function useQuote(proposal: Proposal | undefined, isPossible: boolean): Quote | undefined {
  const booked = proposal?.booked
  const isMoved =
    booked !== undefined &&
    (proposal?.row.key !== proposal?.from?.key || proposal?.start !== booked.start || proposal?.end !== booked.end)
  const interval = proposal && isMoved && isPossible ? JSON.stringify(toInterval(proposal)) : undefined
  const rested = useSettled(interval, REST_MS)
  const stored = useQuery({
    ...apiQuery('schedule', 'get', { query: { date: booked?.date ?? '', pod: booked?.podId } }),
    enabled: booked !== undefined,
    staleTime: 10_000,
  })
  const id = stored.data && booked && findStored(stored.data.data, booked.start)?._id
  const quote = useQuery({
    queryKey: ['schedule', 'quote', id, rested],
    queryFn: ({ signal }) =>
      api('bookingActions', 'previewMove', {
        params: { id: id ?? '' },
        body: JSON.parse(rested ?? '') as ReturnType<typeof toInterval>, // `interval` from above
        signal,
      }),
    enabled: id !== undefined && rested !== undefined && rested === interval,
    retry: false,
    gcTime: 10_000,
  })
  if (interval === undefined || rested !== interval) return undefined
  if (quote.error) return { text: toProblem(quote.error).message, isRefused: true }
  const answer = quote.data?.data
  const reason = answer?.reasons[0]
  if (answer && reason && !areHoursAlone(answer.reasons)) return { text: reason.message, isRefused: true }
  if (!answer || answer.difference === 0) return undefined
  const { difference } = answer
  return { text: `${toMoneyText(Math.abs(difference))} ${difference > 0 ? 'more' : 'less'}`, isRefused: false }
}
