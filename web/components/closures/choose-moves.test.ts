import { expect, it } from 'vitest'
import type { AffectedBooking } from '#contract/closures.ts'
import { chooseMoves, findWrongMoves } from './choose-moves.ts'

const toPod = (
  podId: string,
  { city = 'Johannesburg', bufferMinutes = 0, fewerSeats = null as number | null } = {},
) => ({
  podId,
  podTitle: podId,
  locationName: 'Dock House',
  city,
  bufferMinutes,
  fewerSeats,
})

function toBooking(id: string, from: string, to: string, free: AffectedBooking['free']): AffectedBooking {
  return {
    _id: id,
    podId: 'closed',
    podTitle: 'Aurora',
    locationName: 'Dock House',
    city: 'Johannesburg',
    bookingDate: '2026-11-23',
    startTime: `2026-11-23T${from}:00.000Z`,
    endTime: `2026-11-23T${to}:00.000Z`,
    status: 'Pending',
    purpose: 'meeting',
    customerId: null,
    username: 'Naledi Dube',
    phone: '',
    email: '',
    company: '',
    paid: 0,
    free,
  }
}

it('moves no two bookings that overlap to the same pod', () => {
  const free = [toPod('first'), toPod('second')]
  const bookings = [
    toBooking('early', '12:30', '13:15', free),
    toBooking('overlapping', '13:00', '13:30', free),
    toBooking('third', '13:00', '13:15', free),
    toBooking('adjacent', '13:15', '14:00', free),
  ]
  expect([...chooseMoves(bookings)]).toEqual([
    ['early', 'first'],
    ['overlapping', 'second'],
    ['adjacent', 'first'],
  ])
})

it('leaves time for cleaning between the bookings that move to a pod', () => {
  const free = [toPod('cleaned', { bufferMinutes: 30 })]
  const bookings = [
    toBooking('early', '09:00', '10:00', free),
    toBooking('too soon', '10:15', '11:00', free),
    toBooking('late', '10:30', '11:00', free),
  ]
  expect([...chooseMoves(bookings).keys()]).toEqual(['early', 'late'])
})

it('moves no booking to another city', () => {
  const far = toPod('far', { city: 'Cape Town' })
  const bookings = [
    toBooking('first', '09:00', '10:00', [toPod('near'), far]),
    toBooking('second', '09:00', '10:00', [toPod('near'), far]),
  ]
  expect([...chooseMoves(bookings)]).toEqual([['first', 'near']])
})

it('moves no booking to a smaller pod', () => {
  const free = [toPod('small', { fewerSeats: 2 }), toPod('large')]
  const bookings = [toBooking('first', '09:00', '10:00', free), toBooking('second', '09:00', '10:00', free)]
  expect([...chooseMoves(bookings)]).toEqual([['first', 'large']])
})

it('finds decisions for pods that are no longer free, or to which another of the bookings moves then', () => {
  const free = [toPod('cleaned', { bufferMinutes: 30 }), toPod('other')]
  const bookings = [
    toBooking('first', '09:00', '10:00', free),
    toBooking('too soon', '10:15', '11:00', free),
    toBooking('later', '10:30', '11:30', free),
    toBooking('taken', '09:00', '10:00', free),
    toBooking('cancelled', '09:00', '10:00', free),
    toBooking('undecided', '09:00', '10:00', free),
  ]
  const decisions = new Map([
    ['first', 'cleaned'],
    ['too soon', 'cleaned'],
    ['later', 'cleaned'],
    ['taken', 'gone'],
    ['cancelled', 'cancel'],
  ])
  expect([...findWrongMoves(bookings, decisions)]).toEqual([
    ['too soon', 'Another of these bookings moves there then. Choose again.'],
    ['taken', 'The pod that was chosen is not free any more. Choose again.'],
  ])
})
