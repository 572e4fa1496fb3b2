import { expect, it } from 'vitest'
import {
  toClosedName,
  toEndText,
  toPeriodLines,
  toPeriodText,
  toRepeatOptions,
  toRepeatText,
  toSavedText,
  toScopeText,
} from './closure-words.ts'

it('writes an end at midnight as the end of the day before', () => {
  expect(toEndText('2026-12-01T00:00:00.000Z')).toBe('2026-11-30, end of day')
  expect(toEndText('2026-12-01T12:00:00.000Z')).toBe('2026-12-01, 12:00 PM')
  const day = { starts: '2026-11-26T06:00:00.000Z', ends: '2026-11-27T00:00:00.000Z' }
  expect(toPeriodText(day)).toBe('2026-11-26, 6:00 AM – end of day')
  expect(toPeriodLines(day, null)).toEqual(['2026-11-26, 6:00 AM –', 'end of day, once'])
  const days = { starts: '2026-11-26T06:00:00.000Z', ends: '2026-11-28T00:00:00.000Z' }
  expect(toPeriodText(days)).toBe('2026-11-26, 6:00 AM – 2026-11-27, end of day')
  expect(toPeriodLines(days, 'FREQ=WEEKLY')).toEqual(['2026-11-26, 6:00 AM –', '2026-11-27, end of day, every week'])
})

it('offers each week on the weekday of the start, each month on its day, and on its weekday', () => {
  const weekly = (date: string) => toRepeatOptions(date, '').find(({ value }) => value === 'FREQ=WEEKLY')?.label
  expect([weekly('2026-12-07'), weekly('2026-12-')]).toEqual(['Every week on Monday', 'Every week'])
  const offer = (date: string) => toRepeatOptions(date, '').filter(({ value }) => value.startsWith('FREQ=MONTHLY'))
  expect(offer('2026-12-07')).toEqual([
    { value: 'FREQ=MONTHLY', label: 'Every month on day 7' },
    { value: 'FREQ=MONTHLY;BYDAY=1MO', label: 'Every month on the first Monday' },
  ])
  expect(offer('2026-12-24').at(-1)?.label).toBe('Every month on the fourth Thursday')
  expect(offer('2026-12-31').at(-1)?.label).toBe('Every month on the last Thursday')
  expect(offer('2026-12-')).toEqual([{ value: 'FREQ=MONTHLY', label: 'Every month' }])
  expect(toRepeatOptions('2026-12-07', 'FREQ=WEEKLY;BYDAY=SU').at(-1)?.label).toBe('FREQ=WEEKLY;BYDAY=SU')
  const until = 'FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20270630T235959Z'
  expect(toRepeatText(until)).toBe('Every month on the last Friday until 2027-06-30')
  const day = { starts: '2026-12-07T06:00:00.000Z', ends: '2026-12-07T12:00:00.000Z' }
  expect(toPeriodLines(day, 'FREQ=MONTHLY;BYDAY=1MO')[1]).toBe('12:00 PM, every month on the first Monday')
})

const dockHouse = { locationName: 'Dock House', city: 'Durban' }

it('names the location of closed pods, or at how many they are, as others may have the same title', () => {
  const [aurora, baobab, other] = [
    { _id: '1', title: 'Aurora', ...dockHouse },
    { _id: '2', title: 'Baobab', ...dockHouse },
    { _id: '3', title: 'Baobab', locationName: 'Dock House', city: 'Knysna' },
  ]
  expect(toScopeText({ location: null, pods: [aurora] })).toBe('Aurora, Dock House')
  expect(toScopeText({ location: null, pods: [aurora, baobab] })).toBe('Aurora and 1 other pod, Dock House')
  expect(toScopeText({ location: null, pods: [baobab, other] })).toBe('Baobab and 1 other pod at 2 locations')
  expect(toScopeText({ location: { _id: '4', name: 'Dock House' }, pods: [] })).toBe('All of Dock House')
})

it('says what was closed and what became of the bookings', () => {
  const [aurora, baobab] = [
    { _id: '1', title: 'Aurora', ...dockHouse },
    { _id: '2', title: 'Baobab', ...dockHouse },
  ]
  expect(toClosedName({ location: null, pods: [aurora] })).toBe('Aurora')
  expect(toClosedName({ location: null, pods: [aurora, baobab] })).toBe('2 pods')
  expect(toClosedName({ location: { _id: '3', name: 'Dock House' }, pods: [] })).toBe('Dock House')
  expect(toSavedText('2 pods closed', { moved: 0, cancelled: 0 })).toBe('2 pods closed')
  expect(toSavedText('2 pods closed', { moved: 3, cancelled: 0 })).toBe('2 pods closed. 3 bookings moved.')
  expect(toSavedText('Aurora closed', { moved: 3, cancelled: 1 })).toBe(
    'Aurora closed. 3 bookings moved, 1 booking cancelled.',
  )
})
