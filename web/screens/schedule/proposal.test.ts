import { describe, expect, it } from 'vitest'
import { findHoursNote, findObstacle, type Proposal } from './proposal.ts'
import type { Booked, Row } from './rows.ts'

const now = { date: '2026-11-23', minute: 540 }

const booked: Booked = {
  key: 'aurora 2026-11-23 600',
  podId: 'aurora',
  date: '2026-11-23',
  start: 600,
  end: 720,
  status: 'Confirmed',
  who: 'Zanele Dlamini',
  buffer: 0,
  isCheckedIn: false,
  hasNote: false,
}

const row: Row = {
  key: 'aurora 2026-11-23',
  podId: 'aurora',
  title: 'Aurora',
  detail: '',
  locationName: 'Dock House',
  date: '2026-11-23',
  name: 'Aurora',
  rate: 2.5,
  capacity: null,
  features: [],
  buffer: 60,
  discountMinutes: 0,
  bookings: [booked, { ...booked, key: 'aurora 2026-11-23 720', start: 720, end: 780 }],
  open: [],
  closures: [{ start: 360, end: 1440, reason: 'Painting' }],
  isFree: false,
  unavailable: 'Deleted',
}

const resize = (start: number, end: number): Proposal => ({ kind: 'resize', row, booked, from: row, start, end })

describe('a booking that only gives time up', () => {
  it('can be dropped whatever was closed or changed since', () => {
    expect(findObstacle(resize(600, 690), now)).toBeUndefined()
    expect(findObstacle(resize(615, 720), now)).toBeUndefined()
    expect(findHoursNote(resize(600, 690))).toBeUndefined()
  })

  it('needs an end that is still to come', () => {
    const later = { ...now, minute: 660 }
    expect(findObstacle(resize(600, 660), later)).toBe('Its new end has passed')
    expect(findObstacle(resize(600, 675), later)).toBeUndefined()
  })
})

describe('a booking that takes more time', () => {
  it('cannot be dropped in a pod that cannot be booked', () => {
    expect(findObstacle(resize(585, 720), now)).toBe('Aurora cannot be booked: deleted')
    const open = { ...row, unavailable: undefined }
    expect(findObstacle({ ...resize(585, 720), row: open }, now)).toBe('Closed: Painting')
    expect(findHoursNote(resize(585, 720))).toBe('Outside opening hours, closed all day')
    const elsewhere = { ...open, podId: 'borealis', key: 'borealis 2026-11-23' }
    expect(findObstacle({ ...resize(600, 690), kind: 'move', row: elsewhere }, now)).toBe('Closed: Painting')
  })
})
