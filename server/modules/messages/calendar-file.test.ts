import { describe, expect, it } from 'vitest'
import { toCalendarFile } from './calendar-file.ts'

const booking = {
  id: '019abc00-0000-7000-8000-000000000001',
  sequence: 3,
  start: new Date('2026-03-29T09:00:00.000Z'),
  end: new Date('2026-03-29T10:30:00.000Z'),
  isCancelled: false,
  podTitle: 'Nest, the quiet one; really',
  locationName: 'Mitte',
  place: '1 Straße, Berlin',
}
const options = (timeZone: string) => ({
  timeZone,
  organizer: { name: 'Podkeeper', email: 'pods@example.com' },
  attendee: { name: 'Johan "J" Botha', email: 'johan@example.com' },
  now: new Date('2026-03-01T12:00:00.000Z'),
})
const toLines = (file: string) => file.replaceAll('\r\n ', '').split('\r\n')

describe('the calendar file of a booking', () => {
  it('contains wall-clock times in the business time zone, and the rules of that zone', () => {
    const lines = toLines(toCalendarFile([booking], options('Europe/Berlin')))
    expect(lines).toEqual(
      expect.arrayContaining([
        'DTSTART;TZID=Europe/Berlin:20260329T090000',
        'DTEND;TZID=Europe/Berlin:20260329T103000',
        'TZID:Europe/Berlin',
        'BEGIN:DAYLIGHT',
        'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
        'DTSTAMP:20260301T120000Z',
      ]),
    )
  })

  it('puts an end at midnight on the next date', () => {
    const late = { ...booking, start: new Date('2026-10-24T22:00:00.000Z'), end: new Date('2026-10-25T00:00:00.000Z') }
    const lines = toLines(toCalendarFile([late], options('Europe/Berlin')))
    expect(lines).toContain('DTEND;TZID=Europe/Berlin:20261025T000000')
  })

  it('ends every line, also the last, and folds those of more than 75 bytes', () => {
    const named = { ...booking, podTitle: 'Straße 🙂 '.repeat(20) }
    const file = toCalendarFile([named], options('America/St_Johns'))
    expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true)
    expect(file.replaceAll('\r\n', '')).not.toContain('\n')
    expect(Math.max(...file.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
    expect(toLines(file)).toContain(`SUMMARY:${named.podTitle}\\, Mitte`)
  })

  it('uses the current name of a renamed time zone throughout', () => {
    const lines = toLines(toCalendarFile([booking], options('Asia/Calcutta')))
    expect(lines).toEqual(
      expect.arrayContaining(['DTSTART;TZID=Asia/Kolkata:20260329T090000', 'TZID:Asia/Kolkata', 'TZOFFSETTO:+0530']),
    )
  })

  it('names people whose names have quotation marks', () => {
    const { organizer, ...others } = options('Africa/Johannesburg')
    const named = { ...others, organizer: { ...organizer, name: 'The "Pod" People' } }
    const lines = toLines(toCalendarFile([booking], named))
    expect(lines).toContain(`ORGANIZER;CN="The 'Pod' People":mailto:pods@example.com`)
    expect(lines.find((line) => line.startsWith('ATTENDEE'))).toContain(`CN="Johan 'J' Botha":`)
  })

  it('invites to one booking, withdraws the invitation when cancelled, and only publishes several bookings', () => {
    const one = toLines(toCalendarFile([booking], options('Africa/Johannesburg')))
    expect(one).toEqual(
      expect.arrayContaining(['METHOD:REQUEST', 'STATUS:CONFIRMED', `UID:${booking.id}`, 'SEQUENCE:3']),
    )
    expect(one.find((line) => line.startsWith('ATTENDEE'))).toMatch(/RSVP=FALSE.*MAILTO:johan@example\.com/)
    expect(one.find((line) => line.startsWith('SUMMARY'))).toBe('SUMMARY:Nest\\, the quiet one\\; really\\, Mitte')
    const cancelled = { ...booking, sequence: 4, isCancelled: true }
    const taken = toLines(toCalendarFile([cancelled], options('Africa/Johannesburg')))
    expect(taken).toEqual(
      expect.arrayContaining(['METHOD:CANCEL', 'STATUS:CANCELLED', `UID:${booking.id}`, 'SEQUENCE:4']),
    )
    const several = toLines(toCalendarFile([cancelled, { ...booking, id: 'b' }], options('Africa/Johannesburg')))
    expect(several).toEqual(expect.arrayContaining(['METHOD:PUBLISH', 'STATUS:CANCELLED', 'STATUS:CONFIRMED']))
    expect(several.some((line) => line.startsWith('ATTENDEE'))).toBe(false)
  })
})
