import type { KeyboardEvent } from 'react'
import { SLOT_MINUTES } from '#contract/slots.ts'
import { findBookedAt, type RowItem } from './grid-items.ts'
import {
  findFixedReason,
  findHoursNote,
  findObstacle,
  keepInDay,
  type Now,
  type Proposal,
  toNewSpan,
  toQuarter,
  toSpokenProposal,
} from './proposal.ts'
import { type Booked, DAY_END, DAY_START, type Row } from './rows.ts'
import { toBookedText, toSpanText } from './schedule-texts.ts'
import type { GridPlaces } from './use-grid-places.ts'

/** Said to those who may only look, and to everybody until the day has loaded. */
export const CANNOT_MAKE = 'You cannot make bookings here.'

/** A quarter of an hour of a row, to which the arrow keys have moved. */
export type Cell = { key: string; minute: number }

const PAGE_ROWS = 10

type Step = { right: number; down: number }

const steps: Partial<Record<string, Step>> = {
  ArrowRight: { right: 1, down: 0 },
  ArrowLeft: { right: -1, down: 0 },
  ArrowDown: { right: 0, down: 1 },
  ArrowUp: { right: 0, down: -1 },
}

type KeyboardOptions = {
  places: GridPlaces
  rows: readonly RowItem[]
  now: Now
  active: Cell | undefined
  setActive: (cell: Cell) => void
  /** The proposal that is being changed by keyboard. */
  proposal: Proposal | undefined
  propose: (proposal: Proposal | undefined) => void
  finish: (proposal: Proposal) => void
  say: (text: string) => void
  mayMake: boolean
  mayMove: boolean
  onOpen: (booked: Booked) => void
  make: (row: Row, minute: number) => void
  onPod: ((podId: string) => void) | undefined
}

/** Handles the keys: arrows move between cells; M or Shift with arrows picks up a booking, which arrows then change. */
export function useGridKeyboard(options: KeyboardOptions) {
  const { places, rows, now, active, setActive, proposal, propose, finish, say, mayMake, mayMove } = options
  const findIndexOf = (key: string | undefined) =>
    Math.max(
      0,
      rows.findIndex((item) => item.key === key),
    )

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) {
      if (!(event.ctrlKey && (event.key === 'Home' || event.key === 'End'))) return
    }
    const done = proposal ? steer(event, proposal) : walk(event)
    if (!done) return
    event.preventDefault()
    event.stopPropagation()
  }

  /** Handles a key while a proposal is held: moves or resizes it, drops it or puts it back. Returns whether it did. */
  function steer({ key, shiftKey }: KeyboardEvent, held: Proposal): boolean {
    if (key === 'Escape') {
      propose(undefined)
      say(held.kind === 'make' ? 'Nothing made.' : 'Put back.')
      return true
    }
    if (key === 'Enter' || (held.kind === 'make' && key.toLowerCase() === 'n')) {
      const obstacle = findObstacle(held, now)
      // With an obstacle, the proposal stays held, to be moved elsewhere.
      if (obstacle === undefined) finish(held)
      else say(`It cannot be dropped here. ${obstacle}.`)
      return true
    }
    const step = steps[key]
    if (!step) return key !== 'Tab'
    if (held.kind === 'make' && !shiftKey) {
      propose(undefined)
      return walk({ key, shiftKey, ctrlKey: false })
    }
    const next = held.kind === 'move' && !shiftKey ? moveBy(held, step) : resizeBy(held, step)
    if (!next) return true
    propose(next)
    say(toSpokenProposal(next, now))
    const item = rows[findIndexOf(next.row.key)]
    if (item) places.reveal(item, next)
    return true
  }

  function moveBy(held: Proposal, { right, down }: Step): Proposal | undefined {
    const row = rows[findIndexOf(held.row.key) + down]?.row
    return row && { ...held, row, ...keepInDay(held.start + right * SLOT_MINUTES, held.end - held.start) }
  }

  /** Changes the end with left and right, the start with up and down. */
  function resizeBy(held: Proposal, { right, down }: Step): Proposal | undefined {
    const start = Math.max(DAY_START, held.start + down * SLOT_MINUTES)
    const end = Math.min(DAY_END, held.end + right * SLOT_MINUTES)
    return end - start < SLOT_MINUTES ? undefined : { ...held, start, end }
  }

  function walk({ key, shiftKey, ctrlKey }: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey'>): boolean {
    const index = findIndexOf(active?.key)
    const row = rows[index]?.row
    if (!row) return false
    const minute = active?.minute ?? toFirstMinute(row, now)
    const booked = findBookedAt(row, minute)
    const step = steps[key]
    if (step && shiftKey) return hold(booked ? 'resize' : 'make', row, booked, minute, step)
    if (step) {
      const span = booked ?? { start: minute, end: minute + SLOT_MINUTES }
      const to = step.right > 0 ? span.end : step.right < 0 ? span.start - SLOT_MINUTES : minute
      return goTo(index + step.down, to)
    }
    if (key === 'Home') return goTo(ctrlKey ? 0 : index, DAY_START)
    if (key === 'End') return goTo(ctrlKey ? rows.length - 1 : index, DAY_END - SLOT_MINUTES)
    if (key === 'PageUp') return goTo(index - PAGE_ROWS, minute)
    if (key === 'PageDown') return goTo(index + PAGE_ROWS, minute)
    if (key === 'Enter' || key === ' ') {
      if (booked) options.onOpen(booked)
      else options.make(row, minute)
      return true
    }
    if (key.toLowerCase() === 'n' && !booked) {
      options.make(row, minute)
      return true
    }
    if (key.toLowerCase() === 'm' && booked) return hold('move', row, booked, minute)
    if (key.toLowerCase() === 'w' && options.onPod) {
      options.onPod(row.podId)
      return true
    }
    return false
  }

  function hold(kind: Proposal['kind'], row: Row, booked: Booked | undefined, minute: number, step?: Step): boolean {
    const fixed = booked && findFixedReason(booked, now)
    if (fixed !== undefined || (kind === 'make' ? !mayMake : !mayMove)) {
      say(fixed ?? (kind === 'make' ? CANNOT_MAKE : 'You cannot move bookings here.'))
      return true
    }
    const span = booked ?? { start: minute, end: minute + SLOT_MINUTES }
    const held: Proposal = { kind, row, booked, from: booked && row, start: span.start, end: span.end }
    const next =
      (step && kind !== 'move' && resizeBy(held, kind === 'make' ? { right: step.right, down: 0 } : step)) || held
    propose(next)
    const keys = kind === 'make' ? 'Enter makes a booking' : `Enter ${kind === 'move' ? 'drops' : 'keeps'} it`
    say(`${kind === 'move' ? `Moving ${booked?.who}.` : toSpokenProposal(next, now)} ${keys}, Escape puts it back.`)
    return true
  }

  function goTo(index: number, minute: number): boolean {
    const next = rows[Math.max(0, Math.min(index, rows.length - 1))]
    if (!next) return true
    const at = Math.max(DAY_START, Math.min(toQuarter(minute), DAY_END - SLOT_MINUTES))
    const booked = findBookedAt(next.row, at)
    setActive({ key: next.key, minute: booked?.start ?? at })
    places.reveal(next, booked ?? { start: at, end: at + SLOT_MINUTES })
    say(`${next.row.name}, ${booked ? toBookedText(booked) : toFreeText(next.row, at, now)}`)
    return true
  }

  return onKeyDown
}

/** Returns the minute where the arrow keys start: now, or 8 AM on another day. */
export function toFirstMinute({ date }: Row, now: Now): number {
  return date === now.date ? Math.max(DAY_START, toQuarter(now.minute)) : 8 * 60
}

function toFreeText(row: Row, minute: number, now: Now): string {
  const span = { start: minute, end: minute + SLOT_MINUTES }
  const obstacle = findObstacle({ kind: 'make', row, ...span }, now)
  const note = obstacle ?? findHoursNote({ row, ...span })
  if (note !== undefined) return `${toSpanText(span)}. ${note}.`
  return `${toSpanText(toNewSpan(row, minute, 180))}. Free.`
}
