// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useTimes } from './use-times.ts'

const BEFORE_MIDNIGHT = new Date('2027-02-28T21:59:30.000Z')

beforeEach(() => vi.useFakeTimers({ now: BEFORE_MIDNIGHT }))

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

function Provider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
}

function open(date = '') {
  const prefill = { date, selection: [] }
  const { result } = renderHook(() => useTimes(prefill, undefined, true), { wrapper: Provider })
  return { read: () => result.current, passMidnight: () => act(() => void vi.advanceTimersByTime(60_000)) }
}

describe('The day of a form that is open past midnight', () => {
  it('is the new day while nothing of the day before is chosen', () => {
    const { read, passMidnight } = open()
    expect(read().date).toBe('2027-02-28')
    passMidnight()
    expect(read().date).toBe('2027-03-01')
    expect(read().isChanged).toBe(false)
    act(() => read().toggleRepeats(true))
    expect(read().repeats?.weekdays).toEqual(['MO'])
  })

  it('stays as it was asked for, or chosen, and with its times', () => {
    const asked = open('2027-02-28')
    const chosen = open()
    act(() => chosen.read().setDate('2027-02-28'))
    const timed = open()
    act(() => timed.read().select(['23:30', '23:45']))
    for (const { read, passMidnight } of [asked, chosen, timed]) {
      passMidnight()
      expect(read().date).toBe('2027-02-28')
    }
  })
})
