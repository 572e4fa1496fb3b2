// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { useNow } from './use-now.ts'

vi.mock('#web/lib/settings.ts', () => ({ settings: { businessTimeZone: 'Europe/Berlin' } }))

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

it('now follows the business time zone by itself, also when its clocks change and at midnight', () => {
  vi.useFakeTimers({ now: new Date('2026-10-24T23:59:30.000Z') })
  const { result } = renderHook(() => useNow())
  expect(result.current).toEqual({ date: '2026-10-25', minute: 119 })
  act(() => void vi.advanceTimersByTime(40_000))
  expect(result.current).toEqual({ date: '2026-10-25', minute: 120 })
  act(() => void vi.advanceTimersByTime(60 * 60_000))
  expect(result.current).toEqual({ date: '2026-10-25', minute: 120 })
  act(() => void vi.advanceTimersByTime(22 * 60 * 60_000))
  expect(result.current).toEqual({ date: '2026-10-26', minute: 0 })
})
