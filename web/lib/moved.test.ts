import { expect, test } from 'vitest'
import { toMoved } from './moved.ts'

test.each([
  [0, 2, ['b', 'c', 'a', 'd']],
  [3, 0, ['d', 'a', 'b', 'c']],
  [1, 1, ['a', 'b', 'c', 'd']],
  [9, 0, ['a', 'b', 'c', 'd']],
])('moves the item at %i to %i', (from, to, expected) => {
  expect(toMoved(['a', 'b', 'c', 'd'], from, to)).toEqual(expected)
})
