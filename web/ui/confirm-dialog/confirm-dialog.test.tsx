// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderUi } from '../testing.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

afterEach(cleanup)

function renderDialog(onConfirm: () => unknown) {
  const onClose = vi.fn<() => void>()
  const view = renderUi(
    <ConfirmDialog title="Delete pod" confirmLabel="Delete" danger onConfirm={onConfirm} onClose={onClose}>
      Are you sure?
    </ConfirmDialog>,
  )
  return { ...view, onClose }
}

describe('ConfirmDialog', () => {
  it('confirms only once, and closes when the work is done', async () => {
    const work = new EventTarget()
    const onConfirm = vi.fn<() => Promise<void>>(
      () => new Promise((resolve) => work.addEventListener('done', () => resolve())),
    )
    const { user, onClose } = renderDialog(onConfirm)
    const button = await screen.findByRole('button', { name: 'Delete' })
    await user.click(button)
    await user.click(button)
    await user.keyboard('{Escape}')
    expect(onClose).not.toHaveBeenCalled()
    work.dispatchEvent(new Event('done'))
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(onConfirm).toHaveBeenCalledOnce()
  })

  it('stays open with the reason when the work fails, and can be tried again', async () => {
    const onConfirm = vi
      .fn<() => Promise<void>>()
      .mockRejectedValueOnce(Object.assign(new Error('This location has 3 pods'), { requestId: 'req-1' }))
      .mockResolvedValueOnce()
    const { user, onClose } = renderDialog(onConfirm)
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('This location has 3 pods')
    expect(alert.textContent).toContain('req-1')
    expect(onClose).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  })

  it('focuses Cancel first', async () => {
    renderDialog(() => undefined)
    await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toBe(document.activeElement))
  })
})
