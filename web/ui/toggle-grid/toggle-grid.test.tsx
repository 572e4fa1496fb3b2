// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ToggleGrid, toNextIndex } from './toggle-grid.tsx'

afterEach(cleanup)

describe('toNextIndex', () => {
  it.each([
    ['ArrowRight', 1, 2],
    ['ArrowDown', 1, 5],
    ['ArrowUp', 5, 1],
    ['Home', 6, 4],
    ['End', 5, 7],
    ['End', 8, 9],
  ])('moves by %s from %i to %i', (key, from, to) => {
    expect(toNextIndex(key, from, 4, 10)).toBe(to)
  })

  it.each([
    ['ArrowLeft', 0],
    ['ArrowUp', 2],
    ['ArrowDown', 7],
    ['ArrowRight', 9],
    ['a', 3],
  ])('does not move by %s from %i', (key, from) => {
    expect(toNextIndex(key, from, 4, 10)).toBeUndefined()
  })
})

describe('ToggleGrid', () => {
  const items = ['06:00', '06:15', '06:30', '06:45', '07:00'].map((mark, index) =>
    index === 2 ? { value: mark, label: mark, disabled: true, reason: 'booked' } : { value: mark, label: mark },
  )

  it('is a single Tab stop whose items, disabled ones too, are reached by arrow keys', async () => {
    const onToggle = vi.fn<(value: string) => void>()
    const user = userEvent.setup()
    render(<ToggleGrid label="Time slots" items={items} onToggle={onToggle} />)
    await user.tab()
    expect(screen.getByRole('button', { name: '06:00' })).toBe(document.activeElement)
    await user.keyboard('{ArrowRight}{ArrowRight}')
    expect(screen.getByRole('button', { name: '06:30, booked' })).toBe(document.activeElement)
    await user.keyboard('{Enter}')
    expect(onToggle).not.toHaveBeenCalled()
    await user.keyboard('{ArrowRight} ')
    expect(onToggle).toHaveBeenCalledExactlyOnceWith('06:45')
  })

  it('exposes which item is pressed', () => {
    render(
      <ToggleGrid
        label="Time slots"
        items={[{ value: 'a', label: 'a', pressed: true }]}
        onToggle={vi.fn<(value: string) => void>()}
      />,
    )
    expect(screen.getByRole('button', { name: 'a', pressed: true })).toBeTruthy()
  })
})
