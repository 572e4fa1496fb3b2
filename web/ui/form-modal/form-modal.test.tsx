// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Button } from '../button/button.tsx'
import { TextField } from '../field/fields.tsx'
import { renderUi } from '../testing.tsx'
import { FormModal } from './form-modal.tsx'

afterEach(cleanup)

function Screen({ onSubmit, withIcon }: { onSubmit: () => void; withIcon: boolean }) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [icon, setIcon] = useState('')
  return (
    <>
      <Button onClick={() => setOpen(true)}>Create</Button>
      {open && (
        <FormModal
          title="New feature"
          submitLabel="Submit"
          dirty={name !== ''}
          onClose={() => setOpen(false)}
          onSubmit={(event) => {
            event.preventDefault()
            onSubmit()
          }}
        >
          <TextField label="Name" value={name} onChange={setName} />
          {/* Optional: in happy-dom, with the button outside the form, Enter submits only forms with one field. */}
          {withIcon && <TextField label="Icon" value={icon} onChange={setIcon} />}
        </FormModal>
      )}
    </>
  )
}

async function openForm({ withIcon = false } = {}) {
  const onSubmit = vi.fn<() => void>()
  const view = renderUi(<Screen onSubmit={onSubmit} withIcon={withIcon} />)
  await view.user.click(screen.getByRole('button', { name: 'Create' }))
  // The first field has the focus in browsers (e2e/features.e2e.ts), not in happy-dom.
  await view.user.click(screen.getByLabelText('Name'))
  return { ...view, onSubmit }
}

describe('FormModal', () => {
  it('closes without a question when nothing was typed, and returns the focus', async () => {
    const { user } = await openForm()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByRole('button', { name: 'Create' })).toBe(document.activeElement)
  })

  it('keeps the focus in a field during typing', async () => {
    const { user } = await openForm({ withIcon: true })
    await user.click(screen.getByLabelText('Icon'))
    await user.keyboard('wifi')
    expect(screen.getByLabelText<HTMLInputElement>('Icon').value).toBe('wifi')
    expect(screen.getByLabelText('Icon')).toBe(document.activeElement)
  })

  it('asks before discarding typed text, which “Keep editing” keeps', async () => {
    const { user } = await openForm()
    await user.keyboard('Wi-Fi{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
    expect(screen.queryByText('Discard changes?')).toBeNull()
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Wi-Fi')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('is submitted by Enter and by its button', async () => {
    const { user, onSubmit } = await openForm()
    await user.keyboard('Wi-Fi{Enter}')
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    expect(onSubmit).toHaveBeenCalledTimes(2)
  })

  it('says why it cannot be submitted yet to whoever tries', async () => {
    const [onSubmit, onClose] = [vi.fn<() => void>(), () => undefined]
    const form = (cannotSubmit?: string) => (
      <FormModal title="Move" submitLabel="Save" {...{ onSubmit, onClose, cannotSubmit }}>
        <TextField label="Pod" />
      </FormModal>
    )
    const user = userEvent.setup()
    // Without the tooltip, which happy-dom cannot show.
    const { rerender } = render(form('Choose a pod.'))
    const save = screen.getByRole('button', { name: 'Save', description: 'Choose a pod.' })
    expect(save.getAttribute('aria-disabled')).toBe('true')
    await user.type(screen.getByLabelText('Pod'), '{Enter}')
    await user.click(save)
    expect(onSubmit).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(save)
    rerender(form())
    expect(save.getAttribute('aria-describedby')).toBeNull()
    await user.click(save)
    expect(onSubmit).toHaveBeenCalledOnce()
  })

  it('cannot be closed while it is being sent, and shows that', async () => {
    const onClose = vi.fn<() => void>()
    const { user } = renderUi(
      <FormModal title="New feature" submitLabel="Submit" pending onSubmit={() => undefined} onClose={onClose}>
        {null}
      </FormModal>,
    )
    for (const name of ['Close', 'Cancel']) {
      expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true)
    }
    await user.keyboard('{Escape}')
    expect(onClose).not.toHaveBeenCalled()
  })

  it('lets no field be changed while it is being sent, and keeps the focus in the dialog', async () => {
    const form = (more: { pending?: boolean; isOpenWhilePending?: boolean }) => (
      <FormModal
        title="New feature"
        submitLabel="Submit"
        onSubmit={() => undefined}
        onClose={() => undefined}
        {...more}
      >
        <TextField label="Name" />
      </FormModal>
    )
    const { rerender } = render(form({}))
    const name = screen.getByLabelText('Name')
    const isHeld = () => name.closest('fieldset')?.hasAttribute('inert')
    await userEvent.setup().type(name, 'Wi-Fi')
    rerender(form({ pending: true, isOpenWhilePending: true }))
    expect([isHeld(), document.activeElement]).toEqual([false, name])
    rerender(form({ pending: true }))
    expect(isHeld()).toBe(false)
    await vi.waitFor(() => expect(isHeld()).toBe(true))
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Submit' }))
    rerender(form({}))
    expect(isHeld()).toBe(false)
  })

  it('shows progress as text and as a labelled progress bar', () => {
    const nothing = () => undefined
    renderUi(
      <FormModal
        title="Close"
        submitLabel="Close"
        pending
        progress="Cancelling 500"
        onSubmit={nothing}
        onClose={nothing}
      >
        {null}
      </FormModal>,
    )
    expect(screen.getByRole('progressbar', { name: 'Cancelling 500' }).hasAttribute('value')).toBe(false)
    expect(screen.getByText('Cancelling 500')).toBeTruthy()
  })
})
