import { describe, expect, it } from 'vitest'
import { findHoursNote, findObstacle, hasBegun, keepInDay, type Proposal, toNewSpan } from './proposal.ts'
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
  closures: [{ key: 'painting', start: 360, end: 1440, reason: 'Painting' }],
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

describe('a running booking', () => {
  it('can be extended once a closure in which it was left is over', () => {
    const closed = { ...row, unavailable: undefined, bookings: [booked], buffer: 0 }
    const extended = {
      ...resize(600, 750),
      row: { ...closed, closures: [{ key: 'k', start: 540, end: 660, reason: 'Leak' }] },
    }
    expect(findObstacle(extended, { ...now, minute: 659 })).toBe('Closed: Leak')
    expect(findObstacle(extended, { ...now, minute: 660 })).toBeUndefined()
  })
})

describe('a proposal', () => {
  const open = { ...row, closures: [], open: [{ start: 480, end: 1080 }], unavailable: undefined }
  const make = (start: number, end: number): Proposal => ({ kind: 'make', row: open, start, end })

  it('lasts from a quarter of an hour to three hours', () => {
    expect(findObstacle(make(840, 855), now)).toBeUndefined()
    expect(findObstacle(make(840, 840), now)).toBe('At least a quarter of an hour')
    expect(findObstacle(make(840, 1020), now)).toBeUndefined()
    expect(findObstacle(make(840, 1035), now)).toBe('At most 3 hours')
  })

  it('may touch closures, cleaning times and the ends of the opening hours, but not overlap them', () => {
    const closed = { ...open, closures: [{ key: 'painting', start: 840, end: 900, reason: 'Painting' }] }
    const reasonOf = (start: number, end: number) => findObstacle({ ...make(start, end), row: closed }, now)
    expect([reasonOf(900, 960), reasonOf(885, 960)]).toEqual([undefined, 'Closed: Painting'])
    expect([reasonOf(780, 840), reasonOf(780, 855)]).toEqual([undefined, 'Closed: Painting'])
    const cleaned = { ...open, buffer: 15, bookings: [{ ...booked, buffer: 30 }] }
    const conflictOf = (start: number, end: number) => findObstacle({ ...make(start, end), row: cleaned }, now)
    expect(conflictOf(750, 780)).toBeUndefined()
    expect(conflictOf(735, 780)).toMatch(/^30 minutes after Zanele Dlamini/)
    expect(conflictOf(705, 780)).toMatch(/^Conflict with Zanele Dlamini/)
    expect(conflictOf(540, 585)).toBeUndefined()
    expect(conflictOf(540, 600)).toMatch(/^15 minutes before Zanele Dlamini/)
    expect(findHoursNote(make(480, 540))).toBeUndefined()
    expect(findHoursNote(make(465, 540))).toMatch(/^Outside opening hours/)
    expect(findHoursNote(make(1020, 1080))).toBeUndefined()
    expect(findHoursNote(make(1020, 1095))).toMatch(/^Outside opening hours/)
  })

  it('begins with an hour, or with what is free before the next booking, closure or closing time', () => {
    const next = {
      ...open,
      bookings: [booked],
      buffer: 15,
      closures: [{ key: 'painting', start: 840, end: 900, reason: 'Painting' }],
    }
    const endOf = (minute: number) => toNewSpan(next, minute).end
    expect([480, 525, 540, 585, 600].map(endOf)).toEqual([540, 585, 585, 600, 615])
    expect([780, 810, 840].map(endOf)).toEqual([840, 840, 855])
    expect([1020, 1050, 1080].map(endOf)).toEqual([1080, 1080, 1140])
    expect(toNewSpan({ ...open, open: [{ start: 480, end: 510 }] }, 480).end).toBe(510)
    expect(toNewSpan({ ...open, open: [] }, 1410).end).toBe(1440)
  })

  it('stays within the day when it is shifted', () => {
    expect([300, 600, 1400].map((start) => keepInDay(start, 60).start)).toEqual([360, 600, 1380])
  })

  it('keeps the start of a booking from the very minute in which it begins, as the server does', () => {
    const at = (minute: number) => ({ ...now, minute })
    expect([hasBegun(booked, at(599)), hasBegun(booked, at(600))]).toEqual([false, true])
    const later = resize(615, 705)
    expect(findObstacle(later, at(599))).toBeUndefined()
    expect(findObstacle(later, at(600))).toBe('It has begun: only its end can be changed')
  })

  it('can begin in the quarter that contains now', () => {
    expect(findObstacle(make(840, 900), { ...now, minute: 854 })).toBeUndefined()
    expect(findObstacle(make(840, 900), { ...now, minute: 855 })).toBe('This time has passed')
  })
})
