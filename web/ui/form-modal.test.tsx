// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Button } from './button.tsx'
import { TextField } from './fields.tsx'
import { FormModal } from './form-modal.tsx'
import { renderUi } from './testing.tsx'

afterEach(cleanup)

function Screen({ onSubmit }: { onSubmit: () => void }) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
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
        </FormModal>
      )}
    </>
  )
}

async function openForm(onSubmit = vi.fn<() => void>()) {
  const view = renderUi(<Screen onSubmit={onSubmit} />)
  await view.user.click(screen.getByRole('button', { name: 'Create' }))
  await waitFor(() => expect(screen.getByLabelText('Name')).toBe(document.activeElement))
  return { ...view, onSubmit }
}

describe('FormModal', () => {
  it('starts in the first field, closes without a question, and returns the focus', async () => {
    const { user } = await openForm()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByRole('button', { name: 'Create' })).toBe(document.activeElement)
  })

  it('asks before it loses what was typed, and keeps it when asked to', async () => {
    const { user } = await openForm()
    await user.keyboard('Wi-Fi{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
    expect(screen.queryByText('Discard changes?')).toBeNull()
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Wi-Fi')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('is sent by Enter and by its button', async () => {
    const { user, onSubmit } = await openForm()
    await user.keyboard('Wi-Fi{Enter}')
    await user.click(screen.getByRole('button', { name: 'Submit' }))
    expect(onSubmit).toHaveBeenCalledTimes(2)
  })
})
