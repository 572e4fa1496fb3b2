import { describe, expect, it } from 'vitest'
import { toPageNumbers } from './pager.tsx'

const gap = undefined

describe('toPageNumbers', () => {
  it.each([
    [1, 1, [1]],
    [3, 7, [1, 2, 3, 4, 5, 6, 7]],
    [1, 20, [1, 2, 3, 4, 5, gap, 20]],
    [4, 20, [1, gap, 3, 4, 5, gap, 20]],
    [10, 20, [1, gap, 9, 10, 11, gap, 20]],
    [20, 20, [1, gap, 16, 17, 18, 19, 20]],
  ])('lists the page numbers for page %i of %i', (page, pages, numbers) => {
    expect(toPageNumbers(page, pages)).toEqual(numbers)
  })
})
