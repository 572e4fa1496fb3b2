// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderUi } from '../testing.tsx'
import { DateField } from './date-field.tsx'

afterEach(cleanup)

it('has a calendar that is named after it, so that each can be told from the others', () => {
  const getToday = () => '2026-11-30'
  renderUi(
    <>
      <DateField label="First day" getToday={getToday} />
      <DateField label="Last day" getToday={getToday} />
    </>,
  )
  screen.getByRole('button', { name: 'Choose a day, First day' })
  screen.getByRole('button', { name: 'Choose a day, Last day' })
  // The field alone has this label.
  expect(screen.getByLabelText('First day', { exact: false }).tagName).toBe('INPUT')
})
