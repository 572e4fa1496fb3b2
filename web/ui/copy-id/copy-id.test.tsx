// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CopyId, shortenId } from './copy-id.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const id = '0193a4e2-77b1-7c1d-a8cd-2f6f0cde90ab'

describe('shortenId', () => {
  it('keeps both ends of a long id', () => expect(shortenId(id)).toBe('0193a4…90ab'))
  it('leaves a short id unchanged', () => expect(shortenId('65f1c0')).toBe('65f1c0'))
})

describe('CopyId', () => {
  it('copies the whole id, and confirms the copy', async () => {
    const user = userEvent.setup()
    render(<CopyId id={id} />)
    await user.click(screen.getByRole('button', { name: /Copy id/ }))
    expect(await navigator.clipboard.readText()).toBe(id)
    expect(screen.getByText('Copied')).toBeTruthy()
  })

  it('does not claim to have copied when the browser refuses', async () => {
    const user = userEvent.setup()
    render(<CopyId id={id} />)
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'))
    await user.click(screen.getByRole('button', { name: /Copy id/ }))
    expect(screen.queryByText('Copied')).toBeNull()
  })
})
