import { expect, it } from 'vitest'
import { toListCount } from './list-count.ts'

const total = (count: number | undefined, isAtLeast = false) => ({ count, isAtLeast })

it('shows the total of an unfiltered list', () => {
  expect(toListCount('All Pods', total(3603))).toBe('All Pods (3,603)')
  expect(toListCount('All Pods', total(undefined))).toBeUndefined()
})

it('shows how many of all records a filtered list has', () => {
  expect(toListCount('All Pods', total(20), { all: 3603 })).toBe('20 of 3,603')
  expect(toListCount('All Pods', total(10_000, true), { all: 1_000_000 })).toBe('10,000+ of 1,000,000')
  expect(toListCount('All Pods', total(20), { all: undefined })).toBe('20')
  expect(toListCount('All Pods', total(undefined), { all: 3603 })).toBeUndefined()
})
