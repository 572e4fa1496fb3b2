import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findBookingProblem } from './booking-rules.ts'
import {
  findLiveError,
  findSubmitError,
  isMarkPassed,
  markStates,
  type Selection,
  type SlotRules,
  selectionTexts,
  toggleMark,
  toTimeSlotNumber,
} from './slot-selection.ts'
import { marks, toMinutes, toWireTime } from './slots.ts'

const DATE = '2026-11-21'
const noneBooked: SlotRules = { booked: new Set(), isPassed: () => false }
/** 12:00–12:30 and 12:30–13:00. */
const noonBooked: SlotRules = { booked: new Set(['12:00', '12:15', '12:30', '12:45']), isPassed: () => false }

function click(rules: SlotRules, ...clicks: string[]) {
  let result: { selection: Selection; error: string | undefined } = { selection: [], error: undefined }
  for (const mark of clicks) result = toggleMark(result.selection, mark, rules)
  return result
}

function stateOf(selection: Selection, mark: string, rules: SlotRules) {
  return markStates(selection, rules).find((it) => it.mark === mark)?.state
}

type Held = { startTime: string; endTime: string }[]

const starts = marks.map((mark) => ({ mark, start: toWireTime(DATE, mark) }))

/** Returns the labels of booked slots, as the server lists them. */
function bookedLabels(held: Held): string[] {
  return starts
    .filter(({ start }) => held.some(({ startTime, endTime }) => startTime <= start && endTime > start))
    .map(({ mark }) => mark)
}

function toRules(held: Held, at: Date): SlotRules {
  return { booked: new Set(bookedLabels(held)), isPassed: (it) => isMarkPassed(DATE, it, at) }
}

function isRefusedByServer(first: string, last: string, held: Held, at: Date) {
  const start = toWireTime(DATE, first)
  const end = toWireTime(DATE, last)
  const overlaps = held.some(({ startTime, endTime }) => startTime < end && start < endTime)
  return (
    overlaps || findBookingProblem({ date: DATE, start: new Date(start), end: new Date(end), now: at }) !== undefined
  )
}

function statesAt(now: string) {
  return ['09:00', '09:15', '09:30', '24:00'].map((mark) => stateOf([], mark, toRules([], new Date(now))))
}

describe('clicking marks', () => {
  it('extends the range in any order and keeps it sorted', () => {
    expect(click(noneBooked, '10:00', '09:00')).toEqual({ selection: ['09:00', '10:00'], error: undefined })
    expect(click(noneBooked, '10:00', '09:00', '10:30').selection).toEqual(['09:00', '10:00', '10:30'])
  })

  it('removes the first or the last mark', () => {
    expect(click(noneBooked, '09:00', '10:00', '11:00', '09:00').selection).toEqual(['10:00', '11:00'])
    expect(click(noneBooked, '09:00', '10:00', '11:00', '11:00').selection).toEqual(['09:00', '10:00'])
    expect(click(noneBooked, '09:00', '09:00').selection).toEqual([])
  })

  it('makes a mark inside the range the new end, whether selected before or not', () => {
    expect(click(noneBooked, '09:00', '11:00', '10:00').selection).toEqual(['09:00', '10:00'])
    expect(click(noneBooked, '09:00', '10:00', '11:00', '10:00').selection).toEqual(['09:00', '10:00'])
    expect(click(noneBooked, '09:00', '10:00', '11:00', '10:30').selection).toEqual(['09:00', '10:00', '10:30'])
  })

  it('allows 180 minutes, and keeps 195 with an error until it is shortened', () => {
    expect(click(noneBooked, '09:00', '12:00').error).toBeUndefined()
    const tooLong = click(noneBooked, '09:00', '12:15')
    expect(tooLong).toEqual({ selection: ['09:00', '12:15'], error: 'Maximum booking time is 3 hours.' })
    expect(findSubmitError(tooLong.selection, noneBooked)).toBe('Maximum booking time is 3 hours')
    expect(toggleMark(tooLong.selection, '12:00', noneBooked).error).toBeUndefined()
  })

  it('allows 24:00 as an end', () => {
    expect(click(noneBooked, '24:00', '23:00')).toEqual({ selection: ['23:00', '24:00'], error: undefined })
  })

  it('refuses to cross a booking from either side, leaving the selection as it was', () => {
    const crosses = { error: selectionTexts.crossesBooking }
    expect(click(noonBooked, '11:00', '13:00')).toEqual({ selection: ['11:00'], ...crosses })
    expect(click(noonBooked, '13:00', '11:00')).toEqual({ selection: ['13:00'], ...crosses })
    expect(click(noonBooked, '12:15')).toEqual({ selection: [], ...crosses })
    expect(selectionTexts.crossesBooking).toBe('That time includes a slot that is already booked.')
  })

  it('says that what it would cross is closed or kept for cleaning, when no booking is in the way', () => {
    const reasons = { '12:00': 'Cleaning', '12:15': 'The pod is closed then.', '12:30': 'Closed: Painting' }
    const closed: SlotRules = { booked: new Set(Object.keys(reasons)), reasons, isPassed: () => false }
    expect(click(closed, '11:00', '13:00')).toEqual({ selection: ['11:00'], error: selectionTexts.crossesClosed })
    expect(findSubmitError(['11:00', '13:00'], closed)).toBe(selectionTexts.crossesClosed)
    expect(selectionTexts.crossesClosed).toBe('That time includes a slot that is closed or kept for cleaning.')
    const alsoBooked = { ...closed, reasons: { ...reasons, '12:15': 'Booked' } }
    expect(click(alsoBooked, '11:00', '13:00').error).toBe(selectionTexts.crossesBooking)
  })

  it('allows an end where a booking begins, and a start where one ends', () => {
    expect(click(noonBooked, '11:45', '12:00')).toEqual({ selection: ['11:45', '12:00'], error: undefined })
    expect(click(noonBooked, '13:00', '13:15')).toEqual({ selection: ['13:00', '13:15'], error: undefined })
    expect(click(noonBooked, '11:45', '12:30').error).toBe(selectionTexts.crossesBooking)
  })

  it('drops an end at the beginning of a booking when its only start is removed', () => {
    expect(click(noonBooked, '11:45', '12:00', '11:45').selection).toEqual([])
    expect(click(noonBooked, '11:00', '11:45', '12:00', '11:00').selection).toEqual(['11:45', '12:00'])
  })

  it('refuses a start in the past, but removes a selected start that has passed', () => {
    const rules = toRules([], new Date(`${DATE}T09:20:00.000Z`))
    expect(click(rules, '09:00')).toEqual({ selection: [], error: selectionTexts.passed })
    expect(click(rules, '09:15', '10:00').error).toBeUndefined()
    expect(findSubmitError(['09:00', '10:00'], rules)).toBe(selectionTexts.passed)
    expect(toggleMark(['09:00', '10:00'], '09:00', rules)).toEqual({ selection: ['10:00'], error: undefined })
  })
})

describe('submitting a selection', () => {
  it('requires two marks', () => {
    expect(findSubmitError([], noneBooked)).toBe('Time slot is required')
    expect(findSubmitError(['09:00'], noneBooked)).toBe('Please choose a valid time.')
    expect(findSubmitError(['24:00'], noneBooked)).toBe('Please choose a valid time.')
    expect(findSubmitError(['09:00', '09:15'], noneBooked)).toBeUndefined()
  })

  it('is refused across a booking that was made meanwhile', () => {
    expect(findSubmitError(['11:00', '13:00'], noonBooked)).toBe(selectionTexts.crossesBooking)
  })

  it('counts the marks from first to last, as a string', () => {
    expect(toTimeSlotNumber([])).toBe('0')
    expect(toTimeSlotNumber(['09:00'])).toBe('1')
    expect(toTimeSlotNumber(['09:00', '10:00'])).toBe('5')
    expect(toTimeSlotNumber(['09:00', '09:30', '10:00'])).toBe('5')
  })
})

describe('the state of each mark', () => {
  it('is listed for all 73 marks, in order', () => {
    expect(markStates([], noneBooked).map(({ mark }) => mark)).toEqual(marks)
  })

  it('is chosen or between inside a selection, and free outside', () => {
    const selection = ['09:00', '09:45']
    const states = ['08:45', '09:00', '09:15', '09:30', '09:45', '10:00'].map((it) =>
      stateOf(selection, it, noneBooked),
    )
    expect(states).toEqual(['free', 'chosen', 'between', 'between', 'chosen', 'free'])
  })

  it('is end-only where the next booking begins, once a start before that booking is chosen', () => {
    expect(stateOf([], '12:00', noonBooked)).toBe('booked')
    expect(stateOf(['11:00'], '12:00', noonBooked)).toBe('end-only')
    expect(stateOf(['11:00'], '12:15', noonBooked)).toBe('booked')
    expect(stateOf(['11:00'], '12:30', noonBooked)).toBe('booked')
    expect(stateOf(['14:00'], '12:00', noonBooked)).toBe('booked')
    expect(stateOf(['11:00', '12:00'], '12:00', noonBooked)).toBe('chosen')
  })

  it('stays booked where a booking after the next one begins', () => {
    const rules: SlotRules = { booked: new Set(['10:00', '12:00']), isPassed: () => false }
    expect(stateOf(['09:00'], '10:00', rules)).toBe('end-only')
    expect(stateOf(['09:00'], '12:00', rules)).toBe('booked')
  })

  it('is end-only at 24:00 until chosen', () => {
    expect(stateOf([], '24:00', noneBooked)).toBe('end-only')
    expect(stateOf(['22:00'], '24:00', noneBooked)).toBe('end-only')
    expect(stateOf(['22:00', '24:00'], '24:00', noneBooked)).toBe('chosen')
  })

  it('is passed for slots before now, but not for the slot that contains now', () => {
    expect(statesAt('2026-11-21T09:15:00.000Z')).toEqual(['passed', 'free', 'free', 'end-only'])
    expect(statesAt('2026-11-21T09:29:59.000Z')).toEqual(['passed', 'free', 'free', 'end-only'])
    expect(statesAt('2026-11-21T09:30:00.000Z')).toEqual(['passed', 'passed', 'free', 'end-only'])
    expect(statesAt('2026-11-20T23:59:00.000Z')).toEqual(['free', 'free', 'free', 'end-only'])
    expect(statesAt('2026-11-22T00:00:00.000Z')).toEqual(['passed', 'passed', 'passed', 'passed'])
  })
})

describe('the grid and the server agree', () => {
  const mark = fc.constantFrom(...marks)
  const now = fc
    .constantFrom('2026-11-20T12:00:00Z', '2026-11-21T09:20:00Z', '2026-11-21T21:00:00Z')
    .map((text) => new Date(text))
  /** Any set of successive bookings on one day. */
  const bookings = fc.uniqueArray(mark, { maxLength: 12 }).map((cuts) => {
    const sorted = [...cuts].sort()
    return sorted.flatMap((from, index) => {
      const to = sorted[index + 1]
      return to === undefined || index % 2 === 1
        ? []
        : [{ startTime: toWireTime(DATE, from), endTime: toWireTime(DATE, to) }]
    })
  })

  it('a clicked selection has an error exactly when the server refuses it', () => {
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 8 }), bookings, now, (clicks, held, at) => {
        const rules = toRules(held, at)
        const { selection } = click(rules, ...clicks)
        const [first = '06:00', last = '06:00'] = [selection[0], selection.at(-1)]
        expect(findSubmitError(selection, rules) !== undefined).toBe(isRefusedByServer(first, last, held, at))
      }),
      { numRuns: 500 },
    )
  })

  it('every range that the server accepts can be clicked, in either order', () => {
    fc.assert(
      fc.property(mark, mark, fc.boolean(), bookings, now, (a, b, backwards, held, at) => {
        const [first = a, last = b] = [a, b].sort()
        fc.pre(first < last && !isRefusedByServer(first, last, held, at))
        const rules = toRules(held, at)
        // The start of another booking and 24:00 can only be chosen as an end, after a start.
        const clicks = backwards && !rules.booked.has(last) ? [last, first] : [first, last]
        expect(click(rules, ...clicks)).toEqual({ selection: [first, last], error: undefined })
        expect(findSubmitError([first, last], rules)).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })

  it('a disabled mark refuses clicks, and an open mark never refuses one without a reason', () => {
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 5 }), mark, bookings, now, (clicks, next, held, at) => {
        const rules = toRules(held, at)
        const { selection } = click(rules, ...clicks)
        const state = stateOf(selection, next, rules)
        const result = toggleMark(selection, next, rules)
        const isDisabled = state === 'booked' || state === 'passed'
        const isRefused = result.selection === selection
        expect(isDisabled && !isRefused).toBe(false)
        expect(isRefused).toBe(result.error === selectionTexts.crossesBooking || result.error === selectionTexts.passed)
        expect(isRefused || result.error === findLiveError(result.selection, rules)).toBe(true)
        expect(result.selection).toEqual([...result.selection].sort())
        expect(new Set(result.selection).size).toBe(result.selection.length)
      }),
      { numRuns: 500 },
    )
  })

  it('the number of marks equals the marks shown as part of the booking', () => {
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 6 }), (clicks) => {
        const { selection } = click(noneBooked, ...clicks)
        const shown = markStates(selection, noneBooked).filter(({ state }) => state === 'chosen' || state === 'between')
        expect(toTimeSlotNumber(selection)).toBe(String(shown.length))
        expect(shown.every((it) => toMinutes(it.mark) % 15 === 0)).toBe(true)
      }),
    )
  })
})
