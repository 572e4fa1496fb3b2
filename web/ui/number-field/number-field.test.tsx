// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { renderUi } from '../testing.tsx'
import { NumberField, parseNumberText } from './number-field.tsx'

afterEach(cleanup)

describe('parseNumberText', () => {
  it.each([
    ['2.5', 2.5],
    ['2,5', 2.5],
    ['-33.9', -33.9],
    [' 7 ', 7],
    ['2.', 2],
    ['', ''],
    ['abc', 'abc'],
    ['1e5', '1e5'],
    ['1 000', '1 000'],
  ])('reads %j as %j', (text, value) => expect(parseNumberText(text)).toBe(value))
})

function Field() {
  const [value, setValue] = useState<number | string>(1)
  return (
    <>
      <NumberField label="Rate" min={0} suffix=" ZAR" value={value} onChange={setValue} />
      <output data-testid="value">{JSON.stringify(value)}</output>
      <button type="button" onClick={() => setValue(9)}>
        Reset
      </button>
    </>
  )
}

describe('NumberField', () => {
  it('keeps the typed text, reports its number, and shows a value set from outside', async () => {
    const { user } = renderUi(<Field />)
    const input = screen.getByLabelText<HTMLInputElement>('Rate')
    await user.clear(input)
    expect(screen.getByTestId('value').textContent).toBe('""')
    await user.type(input, '2.50')
    expect(input.value).toBe('2.50')
    expect(screen.getByTestId('value').textContent).toBe('2.5')
    await user.type(input, 'x')
    expect(screen.getByTestId('value').textContent).toBe('"2.50x"')
    await user.click(screen.getByRole('button', { name: 'Reset' }))
    expect(input.value).toBe('9')
  })
})
