// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { type ComponentType, useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { renderUi } from '../testing.tsx'
import { closeToasts } from '../toasts/toasts.ts'
import { FailedDialog, FailedPart, lazyPart } from './lazy-part.tsx'

afterEach(() => {
  closeToasts()
  cleanup()
})

type PartProps = { onClose: () => void }

const Loaded = () => <p>All of it</p>
const load = () =>
  vi
    .fn<() => Promise<ComponentType<PartProps>>>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValueOnce(Loaded)

function Opener({ Part }: { Part: ComponentType<PartProps> }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <input aria-label="Note" />
      <button type="button" onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Close' : 'Open'}
      </button>
      {isOpen && <Part onClose={() => setOpen(false)} />}
    </>
  )
}

it('a dialog that cannot be loaded says so and closes, keeps what is typed around it, and is loaded when opened again', async () => {
  const { user } = renderUi(<Opener Part={lazyPart(load(), FailedDialog)} />)
  await user.type(screen.getByLabelText('Note'), 'Two chairs')
  await user.click(screen.getByRole('button', { name: 'Open' }))
  expect(await screen.findByText(/This could not be loaded\. .*reload the page/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Open' })).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Note').value).toBe('Two chairs')
  await user.click(screen.getByRole('button', { name: 'Open' }))
  expect(await screen.findByText('All of it')).toBeTruthy()
})

it('a part that cannot be loaded says so in its place, and is loaded when shown again', async () => {
  const { user } = renderUi(<Opener Part={lazyPart(load(), FailedPart)} />)
  await user.click(screen.getByRole('button', { name: 'Open' }))
  expect((await screen.findByRole('alert')).textContent).toContain('This could not be loaded.')
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await user.click(screen.getByRole('button', { name: 'Open' }))
  expect(await screen.findByText('All of it')).toBeTruthy()
})
