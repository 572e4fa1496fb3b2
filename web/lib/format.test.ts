import { afterEach, expect, it, vi } from 'vitest'
import { toCounted, toCountText, toDateText, toRateText, toWallTimeRange, toZoneName } from './format.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

it('writes booking times without converting them to the browser’s time zone', () => {
  const range = (startTime: string, endTime: string) => toWallTimeRange({ startTime, endTime })
  for (const zone of ['Pacific/Honolulu', 'Pacific/Auckland']) {
    vi.stubEnv('TZ', zone)
    expect(range('2026-11-21T09:00:00.000Z', '2026-11-21T10:30:00.000Z')).toBe('9:00 AM - 10:30 AM')
    expect(range('2026-11-21T12:15:00.000Z', '2026-11-21T13:00:00.000Z')).toBe('12:15 PM - 1:00 PM')
    expect(range('2026-11-30T21:00:00.000Z', '2026-12-01T00:00:00.000Z')).toBe('9:00 PM - 12:00 AM')
  }
})

it('writes rates with all of their decimals, up to four', () => {
  const plain = (rate: number) => toRateText(rate).replaceAll('\u00A0', ' ')
  expect([4.5, 2.3475, 0.001, 1200].map(plain)).toEqual(['R 4.50', 'R 2.3475', 'R 0.001', 'R 1 200.00'])
})

it('writes counts and days', () => {
  expect(toCountText(3603)).toBe('3,603')
  expect([toCounted(1, 'pod', 'pods'), toCounted(1200, 'pod', 'pods')]).toEqual(['1 pod', '1,200 pods'])
  expect(toDateText('2026-11-23')).toBe('2026-11-23, Monday')
})

it('names a time zone by what is true of it all year round', () => {
  expect(toZoneName('Africa/Johannesburg')).toBe('South Africa Standard Time')
  expect(toZoneName('Europe/Berlin')).toBe('Central European Time')
  expect(toZoneName('America/New_York')).toBe('Eastern Time')
})
