import { describe, expect, it } from 'vitest'
import type { Schedule } from '#contract/schedule.ts'
import { filterRows, toClosedSpans, toRowGroups, toShut } from './rows.ts'

const pod = (title: string, location: number, capacity: number | null = null) => ({
  _id: title.toLowerCase(),
  title,
  location,
  capacity,
  rate: 2,
  buffer: 0,
  features: [0],
  isBlocked: false,
  isDeleted: false,
})

const schedule: Schedule = {
  date: '2026-11-30',
  days: 2,
  now: '2026-11-30T09:00:00.000Z',
  locations: [
    { _id: 'dock', name: 'Dock House', city: 'Cape Town', isBlocked: false },
    { _id: 'mill', name: 'Old Mill', city: 'Durban', isBlocked: false },
  ],
  features: [{ _id: 'screen', name: 'Screen' }],
  pods: [pod('Aurora', 0, 4), pod('Borealis', 1)],
  discountMinutes: 0,
  free: [1],
  bookings: {
    pod: [0, 0, 1],
    start: [1380, 1800, 600],
    end: [1440, 1860, 660],
    buffer: [0, 15, 0],
    status: ['Confirmed', 'Pending', 'Pending'],
    who: ['Zanele', 'Lerato', 'Sipho'],
    checkedIn: [0],
    noted: [2],
  },
  closures: [
    { _id: 'leak', reason: 'Leak', start: 1320, end: 1800, pods: [0] },
    { _id: 'fair', reason: 'Fair', start: 1440, end: 1900, pods: [0] },
  ],
  hours: [{ day: 1, pods: [0], spans: [{ from: 1920, to: 2520 }] }],
}

describe('the rows of a schedule', () => {
  it('have the bookings, closures and hours of their own day, in minutes of that day', () => {
    const [first, second] = toRowGroups(schedule)[0]?.rows ?? []
    expect([first?.date, second?.date]).toEqual(['2026-11-30', '2026-12-01'])
    expect(first?.bookings).toMatchObject([{ who: 'Zanele', date: '2026-11-30', start: 1380, end: 1440 }])
    expect(second?.bookings).toMatchObject([{ who: 'Lerato', date: '2026-12-01', start: 360, end: 420, buffer: 15 }])
    expect(first?.closures).toMatchObject([{ reason: 'Leak', start: 1320, end: 1800 }])
    expect(second?.closures).toMatchObject([{ reason: 'Fair', start: 0, end: 460 }])
    expect([first?.open, second?.open]).toEqual([[{ start: 360, end: 1440 }], [{ start: 480, end: 1080 }]])
  })

  it('tell closures apart that begin together, or of which one is there twice', () => {
    const closures = [
      { _id: 'power', reason: 'No power', start: 1440, end: 1900, pods: [0] },
      { _id: 'fair', reason: 'Fair', start: 2700, end: 2800, pods: [0] },
    ]
    const [, second] = toRowGroups({ ...schedule, closures: [...schedule.closures, ...closures] })[0]?.rows ?? []
    expect(second?.closures.map(({ reason }) => reason)).toEqual(['Fair', 'No power', 'Fair'])
    expect(new Set(second?.closures.map(({ key }) => key)).size).toBe(3)
  })

  it('are left out by filters, with the headings of locations that have none', () => {
    const groups = toRowGroups({ ...schedule, days: 1 })
    const titlesOf = (filter: Partial<Parameters<typeof filterRows>[1]>) =>
      filterRows(groups, { feature: '', seats: undefined, free: undefined, for: undefined, ...filter }).map(
        ({ name, rows }) => `${name}: ${rows.map(({ title }) => title).join()}`,
      )
    expect(titlesOf({ feature: 'screen' })).toEqual(['Dock House: Aurora', 'Old Mill: Borealis'])
    expect(titlesOf({ seats: 4 })).toEqual(['Dock House: Aurora'])
    expect(titlesOf({ seats: 5 })).toEqual([])
    expect(titlesOf({ free: 600 })).toEqual(['Old Mill: Borealis'])
  })

  it('stay when filtered by a free time until the server has said which pods are free then', () => {
    const { free: _, ...unasked } = schedule
    const all = { feature: '', seats: undefined, free: 600, for: undefined }
    expect(filterRows(toRowGroups(unasked), all)).toHaveLength(2)
    expect(filterRows(toRowGroups(schedule), all)).toHaveLength(1)
  })

  it('are closed in spans that do not overlap, each with all of its reasons', () => {
    const closed = (start: number, end: number, reason: string) => ({ key: `${reason} ${start}`, start, end, reason })
    const closures = [closed(600, 720, 'Painting'), closed(600, 660, 'Lock'), closed(690, 750, 'Painting')]
    expect(toClosedSpans([...closures, closed(900, 960, 'Fair')])).toEqual([
      { start: 600, end: 660, reasons: 'Painting; Lock' },
      { start: 660, end: 690, reasons: 'Painting' },
      { start: 690, end: 720, reasons: 'Painting' },
      { start: 720, end: 750, reasons: 'Painting' },
      { start: 900, end: 960, reasons: 'Fair' },
    ])
    expect(toClosedSpans([])).toEqual([])
  })

  it('are shut before, between and after the spans in which they are open', () => {
    const span = (start: number, end: number) => ({ start, end })
    expect(toShut([])).toEqual([span(360, 1440)])
    expect(toShut([span(360, 1440)])).toEqual([])
    expect(toShut([span(480, 720), span(780, 1080)])).toEqual([span(360, 480), span(720, 780), span(1080, 1440)])
  })
})
