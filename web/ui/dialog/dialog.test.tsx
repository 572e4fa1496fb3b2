// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { renderUi } from '../testing.tsx'
import { Dialog } from './dialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const dialog = (
  <Dialog title="A form" onClose={() => undefined}>
    <input aria-label="First" />
    <input aria-label="Second" />
  </Dialog>
)

it('gives the focus to its first field, and does not ask for it again', async () => {
  renderUi(dialog)
  await expect.poll(() => document.activeElement).toBe(screen.getByLabelText('First'))
  act(() => screen.getByLabelText('First').blur())
  fireEvent.keyDown(document.body, { key: 'ArrowDown' })
  expect(document.activeElement).toBe(document.body)
})

it('has the focus before a key that comes earlier than the picture does anything', () => {
  vi.stubGlobal('requestAnimationFrame', () => 0)
  renderUi(dialog)
  expect(document.activeElement).toBe(document.body)
  fireEvent.keyDown(document.body, { key: 'a' })
  expect(document.activeElement).toBe(screen.getByLabelText('First'))
})

it('leaves the focus where it was put meanwhile', async () => {
  renderUi(dialog)
  act(() => screen.getByLabelText('Second').focus())
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(document.activeElement).toBe(screen.getByLabelText('Second'))
})
