import { describe, expect, it } from 'vitest'
import type { Arrival } from '#contract/booking-actions.ts'
import { groupArrivals } from './arrival-groups.ts'

const someone: Arrival = {
  _id: 'late',
  podId: 'pod',
  podTitle: 'Aurora',
  locationName: 'Rosebank',
  name: 'Ayesha Patel',
  customerId: 'customer',
  phone: '',
  startTime: '2026-11-23T09:00:00.000Z',
  endTime: '2026-11-23T10:00:00.000Z',
  status: 'Confirmed',
  checkedInAt: null,
  noShowAt: null,
  endedAt: null,
  note: '',
  version: 2,
  actions: ['check-in'],
  group: 'late',
}
const listed = {
  arrivals: [
    { ...someone, _id: 'over', group: 'over' as const },
    { ...someone, _id: 'in', group: 'in' as const },
    someone,
    { ...someone, _id: 'late too' },
    { ...someone, _id: 'expected', group: 'expected' as const },
  ],
  counts: { late: 2, expected: 300, leaving: 0, in: 1, over: 1 },
}
const at = '2026-11-23T09:10:00.000Z'
const list = (checkIns: Parameters<typeof groupArrivals>[1]) =>
  groupArrivals(listed, checkIns).map(({ title, count, arrivals }) => [title, count, arrivals.map(({ _id }) => _id)])

describe('groupArrivals', () => {
  it('puts late arrivals first, keeps the order of times within a group, and leaves out empty groups', () => {
    expect(list({})).toEqual([
      ['Late', 2, ['late', 'late too']],
      ['Expected', 300, ['expected']],
      ['In', 1, ['in']],
      ['Over', 1, ['over']],
    ])
  })

  it('moves and counts whoever is being checked in, until the server lists them anew', () => {
    expect(list({ late: { at, version: 2 }, expected: { at, version: 1 } })).toEqual([
      ['Late', 1, ['late too']],
      ['Expected', 300, ['expected']],
      ['In', 2, ['in', 'late']],
      ['Over', 1, ['over']],
    ])
    const shown = groupArrivals(listed, { late: { at, version: 2 } }).flatMap(({ arrivals }) => arrivals)
    expect(shown.find(({ _id }) => _id === 'late')).toMatchObject({ checkedInAt: at, group: 'in', actions: [] })
  })
})
