// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { getBusinessDay } from './business-day.ts'
import { getServerTime, learnServerTime } from './server-time.ts'

const NOON = new Date('2026-11-23T10:00:00.000Z')

afterEach(() => {
  learnServerTime(new Date().toUTCString())
  vi.useRealTimers()
})

it('the server’s time counts where the browser’s clock is a minute off or more, until it is set right', () => {
  vi.useFakeTimers({ now: NOON })
  expect(getServerTime()).toEqual(NOON)
  learnServerTime('Mon, 23 Nov 2026 09:59:01 GMT')
  expect(getServerTime()).toEqual(NOON)
  learnServerTime('Sun, 22 Nov 2026 10:00:00 GMT')
  expect(getServerTime().toISOString()).toBe('2026-11-22T10:00:00.000Z')
  expect(getBusinessDay()).toBe('2026-11-22')
  learnServerTime(null)
  learnServerTime('soon')
  expect(getBusinessDay()).toBe('2026-11-22')
  vi.setSystemTime('2026-11-22T10:00:30.000Z')
  learnServerTime('Sun, 22 Nov 2026 10:00:29 GMT')
  expect(getServerTime().toISOString()).toBe('2026-11-22T10:00:30.000Z')
})
