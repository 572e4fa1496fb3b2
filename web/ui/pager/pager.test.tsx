// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { renderUi } from '../testing.tsx'
import { Pager, toPageNumbers } from './pager.tsx'

afterEach(cleanup)

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

it('names its buttons after what is listed, so that each can be told from those of another list', () => {
  const onPage = () => undefined
  renderUi(
    <>
      <Pager label="Payments" page={2} pageSize={5} total={11} onPage={onPage} />
      <Pager label="Messages" page={2} pageSize={5} total={11} onPage={onPage} />
    </>,
  )
  const names = screen
    .getAllByRole('button', { name: /^(Next|Previous)/ })
    .map((button) => button.getAttribute('aria-label'))
  expect(names).toEqual([
    'Previous page of Payments',
    'Next page of Payments',
    'Previous page of Messages',
    'Next page of Messages',
  ])
})
