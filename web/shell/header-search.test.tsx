// @vitest-environment happy-dom
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { searchKeyChoice } from '#web/lib/browser-choice.ts'
import { renderUi } from '#web/ui/testing.tsx'
import { HeaderSearch } from './header-search.tsx'

afterEach(() => {
  cleanup()
  localStorage.clear()
})

it('takes the key / unless that is switched off in this browser', async () => {
  const { user } = renderUi(<HeaderSearch value="" onChange={() => undefined} onSubmit={() => undefined} />)
  const field = screen.getByRole('combobox', { name: 'Search' })
  await user.keyboard('/')
  expect(document.activeElement).toBe(field)
  field.blur()
  act(() => searchKeyChoice.choose('off'))
  expect(screen.queryByText('/')).toBeNull()
  await user.keyboard('/')
  expect(document.activeElement).toBe(document.body)
  act(() => searchKeyChoice.choose('on'))
  expect(screen.getByText('/')).toBeTruthy()
  await user.keyboard('/')
  expect(document.activeElement).toBe(field)
})
