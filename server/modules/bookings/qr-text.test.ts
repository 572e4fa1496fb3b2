import { expect, it } from 'vitest'
import { toQrText } from './qr-text.ts'

const source = {
  template: '{origin}/qr?bookingId={bookingId}',
  origin: 'https://pods.example',
  timeZone: 'Africa/Johannesburg',
  booking: { _id: 'b-1', podId: 'p-1', startTime: '2026-11-23T09:00:00.000Z', endTime: '2026-11-24T00:00:00.000Z' },
  deviceId: '{podId}',
  podUserId: 'user$&1',
}

it('fills the default template', () => {
  expect(toQrText(source)).toBe('https://pods.example/qr?bookingId=b-1')
})

it('fills every placeholder once, with times in Unix seconds', () => {
  const template = '{podId}|{deviceId}|{podUserId}|{startUnix}|{endUnix}'
  const start = Date.parse('2026-11-23T07:00:00.000Z') / 1000
  const end = Date.parse('2026-11-23T22:00:00.000Z') / 1000
  expect(toQrText({ ...source, template })).toBe(`p-1|{podId}|user$&1|${start}|${end}`)
})

it('leaves braces that are not placeholders unchanged', () => {
  expect(toQrText({ ...source, template: '{"id":"{bookingId}"} {unknown} {}' })).toBe('{"id":"b-1"} {unknown} {}')
})
