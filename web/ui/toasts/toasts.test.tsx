// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ToastRegion } from './toast-region.tsx'
import { closeToasts, listToasts, showFailure, showProgress, showSuccess } from './toasts.ts'

/** How long a success is shown, and one with Undo. */
const TOAST_HIDE_MS = 6_000
const UNDO_HIDE_MS = 10_000

beforeEach(() => {
  vi.useFakeTimers()
  render(<ToastRegion />)
})

afterEach(() => {
  cleanup()
  closeToasts()
  vi.useRealTimers()
})

describe('ToastRegion', () => {
  it('hides a success after six seconds and not before', () => {
    act(() => void showSuccess('Pod created successfully!'))
    act(() => void vi.advanceTimersByTime(TOAST_HIDE_MS - 1))
    expect(screen.getByText('Pod created successfully!')).toBeTruthy()
    act(() => void vi.advanceTimersByTime(1))
    expect(screen.queryByText('Pod created successfully!')).toBeNull()
  })

  it('keeps a failure until it is closed or retried', () => {
    const retry = vi.fn<() => void>()
    act(() => void showFailure('Error updating pod', { retry }))
    act(() => void vi.advanceTimersByTime(10 * TOAST_HIDE_MS))
    act(() => screen.getByRole('button', { name: 'Retry' }).click())
    expect(retry).toHaveBeenCalledOnce()
    expect(screen.queryByText('Error updating pod')).toBeNull()
    act(() => void showFailure('Error updating pod', { retry }))
    act(() => void vi.advanceTimersByTime(10 * TOAST_HIDE_MS))
    act(() => screen.getByRole('button', { name: 'Close' }).click())
    expect(screen.queryByText('Error updating pod')).toBeNull()
    expect(retry).toHaveBeenCalledOnce()
  })

  it('keeps a toast while the pointer or the focus is on it, and then restarts its time', () => {
    act(() => void showSuccess('Pod blocked successfully', { note: '3 bookings are still to come.' }))
    const toast = screen.getByText('Pod blocked successfully')
    act(() => void vi.advanceTimersByTime(TOAST_HIDE_MS - 1))
    fireEvent.pointerEnter(toast)
    act(() => void vi.advanceTimersByTime(10 * TOAST_HIDE_MS))
    act(() => screen.getByRole('button', { name: 'Close' }).focus())
    fireEvent.pointerLeave(toast)
    act(() => void vi.advanceTimersByTime(10 * TOAST_HIDE_MS))
    expect(screen.getByText('3 bookings are still to come.')).toBeTruthy()
    act(() => screen.getByRole('button', { name: 'Close' }).blur())
    act(() => void vi.advanceTimersByTime(TOAST_HIDE_MS - 1))
    expect(listToasts()).toHaveLength(1)
    act(() => void vi.advanceTimersByTime(1))
    expect(listToasts()).toHaveLength(0)
  })

  it('announces a success as status and a failure as alert, and keeps a running progress', () => {
    act(
      () =>
        void [showSuccess('Saved'), showFailure('No answer'), showProgress('Preparing', { onCancel: () => undefined })],
    )
    expect(screen.getByRole('alert').textContent).toContain('No answer')
    expect(screen.getByRole('status').textContent).toContain('Saved')
    act(() => void vi.advanceTimersByTime(10 * TOAST_HIDE_MS))
    expect(screen.getByRole('status').textContent).toContain('Preparing')
  })

  it('does not announce again what moves into a dialog or out of it, unless it has only just been shown', () => {
    act(() => void [showSuccess('Saved'), showFailure('No answer')])
    act(() => void vi.advanceTimersByTime(2000))
    act(() => void showSuccess('Copied'))
    const isLive = (text: string) => screen.getByText(text).closest('li')?.getAttribute('aria-live') !== 'off'
    expect(['Saved', 'No answer', 'Copied'].map(isLive)).toEqual([true, true, true])
    const dialog = render(<ToastRegion />)
    expect(['Saved', 'No answer', 'Copied'].map(isLive)).toEqual([false, false, true])
    expect(screen.queryByRole('alert')).toBeNull()
    act(() => void showFailure('Still no answer'))
    expect(screen.getByRole('alert').textContent).toContain('Still no answer')
    act(() => void vi.advanceTimersByTime(2000))
    dialog.unmount()
    expect(screen.getByText('Still no answer')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('keeps a toast with Undo for ten seconds, and undoes the change by its button', () => {
    const undo = vi.fn<() => void>()
    act(() => void showSuccess('Pod blocked successfully', { undo }))
    act(() => void vi.advanceTimersByTime(UNDO_HIDE_MS - 1))
    act(() => screen.getByRole('button', { name: 'Undo' }).click())
    expect(undo).toHaveBeenCalledOnce()
    expect(listToasts()).toHaveLength(0)
    act(() => void showSuccess('Pod blocked successfully', { undo }))
    act(() => void vi.advanceTimersByTime(UNDO_HIDE_MS))
    expect(listToasts()).toHaveLength(0)
  })

  it('undoes the newest change by Ctrl+Z or Cmd+Z, but not in a text field', () => {
    const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()]
    act(() => void [showSuccess('Pod blocked', { undo: first }), showSuccess('Pod deleted', { undo: second })])
    const field = document.body.appendChild(document.createElement('input'))
    fireEvent.keyDown(field, { key: 'z', ctrlKey: true })
    fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true, shiftKey: true })
    expect(second).not.toHaveBeenCalled()
    field.remove()
    fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1])
    fireEvent.keyDown(document.body, { key: 'z', metaKey: true })
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1])
    fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
    expect(first).toHaveBeenCalledOnce()
  })

  it('keeps both toasts with Undo when two changes have the same message', () => {
    const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()]
    act(() => void showSuccess('Pod blocked successfully', { undo: first }))
    act(() => void showSuccess('Pod blocked successfully', { undo: second }))
    act(() => screen.getAllByRole('button', { name: 'Undo' })[0]?.click())
    expect(first).toHaveBeenCalledOnce()
    act(() => screen.getByRole('button', { name: 'Undo' }).click())
    expect(second).toHaveBeenCalledOnce()
  })

  it('replaces the toast of an earlier change of the same record, whose Undo would fail', () => {
    const undo = vi.fn<() => void>()
    act(() => void showSuccess('Booking cancelled', { recordId: 'a', undo }))
    act(() => void showSuccess('Pod blocked', { recordId: 'b', undo }))
    act(() => void showSuccess('Booking reinstated', { recordId: 'a' }))
    expect(screen.queryByText('Booking cancelled')).toBeNull()
    expect([screen.getByText('Pod blocked'), screen.getByText('Booking reinstated')]).toHaveLength(2)
    expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1)
  })

  it('shows the same message only once', () => {
    act(() => void [showFailure('No answer'), showFailure('No answer')])
    expect(screen.getAllByText('No answer')).toHaveLength(1)
  })

  it('keeps the Retry of each record whose change failed, until that record is changed', () => {
    const retry = vi.fn<() => void>()
    act(() => void ['a', 'b', 'b'].map((recordId) => showFailure('No answer', { retry, recordId })))
    expect(screen.getAllByRole('button', { name: 'Retry' })).toHaveLength(2)
    act(() => void showSuccess('Pod blocked', { recordId: 'a' }))
    expect(screen.getAllByRole('button', { name: 'Retry' })).toHaveLength(1)
  })
})
