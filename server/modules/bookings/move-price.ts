import type { MoveQuestion } from '#contract/booking-actions.ts'
import { toCents, toPrice } from '#contract/money.ts'
import { countMinutes } from '#contract/slots.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { type Interval, isSameInterval } from '../availability/obstacles.ts'
import { type BookingTerms, getBookingTerms } from './booking-terms.repository.ts'
import type { State } from './change-booking.ts'

/** Prices a move: at the old rate in the same pod, at the new pod's in another; free if caused by us (rules §27.2). */
export async function quoteMove(
  db: Db | Tx,
  before: State,
  interval: Interval,
  move: Pick<MoveQuestion, 'causedByUs'>,
) {
  const terms = interval.podId === before.podId ? new Map() : await getBookingTerms(db, [interval.podId])
  return quoteMoveWithTerms(terms, before, interval, move)
}

/** Does the same with the terms of the pods, by their ids. */
export function quoteMoveWithTerms(
  terms: ReadonlyMap<string, Pick<BookingTerms, 'rate'>>,
  before: State,
  interval: Interval,
  { causedByUs }: Pick<MoveQuestion, 'causedByUs'>,
) {
  const { price, rate, discountMinutes } = before
  if (price === null || rate === null) return { price: null, newPrice: null, rate: null, difference: 0 }
  // A booking that was shortened because of us costs more than its time, and goes on doing so where it is.
  if (causedByUs || isSameInterval(interval, before)) return { price, newPrice: price, rate, difference: 0 }
  const { podId } = interval
  const newRate = podId === before.podId ? rate : (terms.get(podId)?.rate ?? rate)
  const toListPrice = (time: Pick<Interval, 'start' | 'end'>, perMinute: number) =>
    toPrice(countMinutes(time), perMinute, discountMinutes)
  const newPrice = toNewPrice(price, toListPrice(before, rate), toListPrice(interval, newRate))
  return { price, newPrice, rate: newRate, difference: toCents(newPrice - price) }
}

/**
 * Returns the price after a move from the list prices before and after it. What a customer was given for less, as by a
 * move caused by us, is not charged later.
 */
function toNewPrice(price: number, listPrice: number, newListPrice: number): number {
  if (price >= listPrice) return newListPrice
  return newListPrice > listPrice ? toCents(price + newListPrice - listPrice) : Math.min(price, newListPrice)
}
