import { expect, it } from 'vitest'
import { toDifferenceText, toMoreToPay } from './price-words.ts'

it.each([
  [75, 75, 'R 75.00 more to pay'],
  [75, 225, 'R 75.00 more to pay'],
  [75, 25, 'R 25.00 more to pay'],
  [75, 0, 'R 75.00 less to be given back'],
  [75, -25, 'R 75.00 less to be given back'],
  [-75, -75, 'R 75.00 to be given back'],
  [-75, -175, 'R 75.00 to be given back'],
  [-75, -25, 'R 25.00 to be given back'],
  [-75, 0, 'R 75.00 less to pay'],
  [-75, 75, 'R 75.00 less to pay'],
])('says of a difference of %d, with %d due then: %s', (difference, balanceDue, text) => {
  expect(toDifferenceText(difference, balanceDue).replaceAll('\u00A0', ' ')).toBe(text)
})

it.each([
  [75, 225, 75],
  [75, 25, 25],
  [75, -25, 0],
  [-75, 75, 0],
])('asks after a difference of %d, with %d due then, for %d more', (difference, balanceDue, more) => {
  expect(toMoreToPay(difference, balanceDue)).toBe(more)
})
