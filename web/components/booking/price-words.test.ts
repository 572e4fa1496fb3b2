import { expect, it } from 'vitest'
import { toDifferenceText } from './price-words.ts'

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
