import { describe, expect, it } from 'vitest'
import { type Arrival, groupArrivals } from './arrival-groups.ts'

const at = (time: string) => `2026-11-23T${time}:00.000Z`
const someone: Arrival = {
  _id: '1',
  podId: 'pod',
  podTitle: 'Aurora',
  locationName: 'Rosebank',
  name: 'Ayesha Patel',
  customerId: '2',
  phone: '',
  startTime: at('09:00'),
  endTime: at('10:00'),
  status: 'Confirmed',
  checkedInAt: null,
  noShowAt: null,
  endedAt: null,
  note: '',
  version: 1,
  actions: [],
}
const groupOf = (changes: Partial<Arrival>, now: string) =>
  groupArrivals([{ ...someone, ...changes }], at(now)).map(({ title }) => title)

describe('groupArrivals', () => {
  it.each([
    [{}, '08:59', 'Expected'],
    [{}, '09:00', 'Late'],
    [{ checkedInAt: at('07:00') }, '08:59', 'In'],
    [{ checkedInAt: at('07:00') }, '09:44', 'In'],
    [{ checkedInAt: at('07:00') }, '09:45', 'Leaving'],
    [{ checkedInAt: at('07:00') }, '10:00', 'Over'],
    [{ status: 'Completed', noShowAt: at('07:15') }, '09:15', 'Over'],
  ] as const)('puts an arrival with %j at %s into %s', (changes, now, group) => {
    expect(groupOf(changes, now)).toEqual([group])
  })

  it('puts late arrivals first, and keeps the order of times within a group', () => {
    const arrivals = [
      { ...someone, _id: 'in', checkedInAt: at('07:00') },
      { ...someone, _id: 'late' },
      { ...someone, _id: 'late too' },
      { ...someone, _id: 'expected', startTime: at('09:45') },
    ]
    expect(
      groupArrivals(arrivals, at('09:10')).map(({ title, arrivals: of }) => [title, of.map(({ _id }) => _id)]),
    ).toEqual([
      ['Late', ['late', 'late too']],
      ['Expected', ['expected']],
      ['In', ['in']],
    ])
  })

  it('finds arrivals by parts of the name or pod in any order, ignoring case and accents', () => {
    const others = [someone, { ...someone, _id: '2', name: 'Zoë O’Brien', podTitle: 'Beacon' }]
    for (const [search, id] of [
      ['PATEL', '1'],
      [' beac ', '2'],
      ["o'brien zoe", '2'],
      ['aurora áyesha', '1'],
    ] as const) {
      expect(groupArrivals(others, at('08:00'), search)[0]?.arrivals.map(({ _id }) => _id)).toEqual([id])
    }
    expect(groupArrivals(others, at('08:00'), 'nobody')).toEqual([])
  })
})
