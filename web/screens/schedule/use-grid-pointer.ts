import { type MouseEvent, type PointerEvent, useRef } from 'react'
import { SLOT_MINUTES } from '#contract/slots.ts'
import { HEAD_HEIGHT, type Item, NAME_WIDTH } from './grid-items.ts'
import { findFixedReason, hasBegun, keepInDay, type Now, type Proposal, toQuarter } from './proposal.ts'
import { type Booked, DAY_END, DAY_START, type Row } from './rows.ts'
import type { GridPlaces } from './use-grid-places.ts'

/** In px: how close to an edge a press grabs it, and how far a press must move to be a drag. */
const EDGE = 6
const DRAG_AFTER = 4
const SCROLL_EDGE = 36

/** A press of the mouse button, as it began. */
type Press = {
  kind: Proposal['kind']
  row: Row
  booked?: Booked
  /** The minute of the end that stays when resizing or making a booking. */
  fixed: number
  /** When moving: minutes from the booking's start to the pointer. */
  offset: number
  x: number
  y: number
  isDrag: boolean
}

type PointerOptions = {
  places: GridPlaces
  items: readonly Item[]
  now: Now
  mayMake: boolean
  mayMove: boolean
  propose: (proposal: Proposal | undefined) => void
  finish: (proposal: Proposal) => void
  onClick: (row: Row, booked: Booked | undefined, minute: number) => void
}

/** Handles the mouse in the grid: clicks, and drags that propose a new, moved or resized booking. */
export function useGridPointer(options: PointerOptions) {
  const { places, items, now, mayMake, mayMove, propose, finish, onClick } = options
  const press = useRef<Press>(undefined)
  const pointer = useRef({ x: 0, y: 0 })
  const proposed = useRef<Proposal>(undefined)
  const wasDragged = useRef(false)
  /** The key of the booking on which the button was pressed. */
  const pressedOn = useRef<string>(undefined)

  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    // Reset here too, because no click follows a drag when a dialog opens at its end.
    wasDragged.current = false
    pressedOn.current = findKey(event.target)
    // Touch only scrolls and clicks.
    if (event.button !== 0 || event.pointerType === 'touch') return
    const row = findRow(items, event.target)
    if (!row) return
    const minute = places.toMinute(event.clientX)
    const booked = findBooked(row, event.target)
    const at = { row, x: event.clientX, y: event.clientY, isDrag: false, fixed: 0, offset: 0 }
    if (!booked) {
      if (mayMake) press.current = { ...at, kind: 'make', fixed: toQuarter(minute) }
      return
    }
    if (!mayMove || findFixedReason(booked, now) !== undefined) return
    const edge = findEdge(event.target, event.clientX)
    if (edge === 'end') press.current = { ...at, kind: 'resize', booked, fixed: booked.start }
    else if (edge === 'start') press.current = { ...at, kind: 'resize', booked, fixed: booked.end }
    else press.current = { ...at, kind: 'move', booked, offset: minute - booked.start }
  }

  function onPointerMove(event: PointerEvent<HTMLDivElement>) {
    pointer.current = { x: event.clientX, y: event.clientY }
    const pressed = press.current
    if (!pressed) return showCursor(event)
    if (!pressed.isDrag) {
      if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < DRAG_AFTER) return
      pressed.isDrag = true
      wasDragged.current = true
      event.currentTarget.setPointerCapture(event.pointerId)
      scrollAtEdges()
    }
    followPointer(pressed)
  }

  function followPointer(pressed: Press) {
    proposed.current = toProposal(pressed, places.toMinute(pointer.current.x))
    propose(proposed.current)
  }

  function toProposal({ kind, row, booked, fixed, offset }: Press, minute: number): Proposal {
    if (kind === 'make' || !booked) {
      const at = Math.max(DAY_START, Math.min(toQuarter(minute), DAY_END - SLOT_MINUTES))
      return { kind, row, start: Math.min(at, fixed), end: Math.max(at, fixed) + SLOT_MINUTES }
    }
    if (kind === 'move') {
      const start = toNearestQuarter(minute - offset)
      const to = places.findRowAt(pointer.current.y)?.row ?? proposed.current?.row ?? row
      return { kind, booked, from: row, row: to, ...keepInDay(start, booked.end - booked.start) }
    }
    const at = Math.max(DAY_START, Math.min(toNearestQuarter(minute), DAY_END))
    const span =
      fixed === booked.start
        ? { start: fixed, end: Math.max(at, fixed + SLOT_MINUTES) }
        : { start: Math.min(at, fixed - SLOT_MINUTES), end: fixed }
    return { kind, booked, from: row, row, ...span }
  }

  /** Scrolls near the edges in every frame of a drag. */
  function scrollAtEdges() {
    const [node, pressed] = [places.scroller, press.current]
    if (!node || !pressed) return
    const box = node.getBoundingClientRect()
    const { x, y } = pointer.current
    const left = toScrollStep(x, box.left + NAME_WIDTH, box.right)
    const top = pressed.kind === 'move' ? toScrollStep(y, box.top + HEAD_HEIGHT, box.bottom) : 0
    if (left !== 0 || top !== 0) {
      node.scrollBy(left, top)
      followPointer(pressed)
    }
    requestAnimationFrame(scrollAtEdges)
  }

  function letGo(): Proposal | undefined {
    const last = press.current?.isDrag ? proposed.current : undefined
    press.current = undefined
    proposed.current = undefined
    return last
  }

  function cancel() {
    letGo()
    propose(undefined)
  }

  function showCursor({ target, clientX, currentTarget }: PointerEvent<HTMLDivElement>) {
    const row = findRow(items, target)
    const booked = row && findBooked(row, target)
    const edge = booked && mayMove && findFixedReason(booked, now) === undefined ? findEdge(target, clientX) : undefined
    const cursor = edge === 'end' || (edge === 'start' && booked && !hasBegun(booked, now)) ? 'edge' : ''
    if (currentTarget.dataset.cursor !== cursor) currentTarget.dataset.cursor = cursor
  }

  return {
    isPressed: () => press.current !== undefined,
    isDragging: () => press.current?.isDrag ?? false,
    cancel,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp: () => {
        const dropped = letGo()
        if (dropped) finish(dropped)
      },
      onPointerCancel: cancel,
      onClick: (event: MouseEvent<HTMLDivElement>) => {
        // The click event at the end of a drag is not a click.
        if (wasDragged.current) {
          wasDragged.current = false
          return
        }
        // Neither is one that ends elsewhere than it began, such as at the end of dragging what cannot be moved.
        if (findKey(event.target) !== pressedOn.current) return
        const row = findRow(items, event.target)
        if (row) onClick(row, findBooked(row, event.target), toQuarter(places.toMinute(event.clientX)))
      },
    },
  }
}

const toNearestQuarter = (minute: number) => Math.round(minute / SLOT_MINUTES) * SLOT_MINUTES

/** Returns the px to scroll per frame: the closer to the edge, the more. */
function toScrollStep(at: number, from: number, to: number): number {
  if (at < from + SCROLL_EDGE) return Math.max(-16, (at - from - SCROLL_EDGE) / 3)
  return at > to - SCROLL_EDGE ? Math.min(16, (at - to + SCROLL_EDGE) / 3) : 0
}

/** Returns the row under an event's target; undefined on the pod's name. */
function findRow(items: readonly Item[], target: EventTarget): Row | undefined {
  if (!(target instanceof Element) || target.closest('[data-name]')) return undefined
  const item = items[Number(target.closest<HTMLElement>('[data-row]')?.dataset.row)]
  return item?.kind === 'row' ? item.row : undefined
}

function findBooked(row: Row, target: EventTarget): Booked | undefined {
  const key = findKey(target)
  return row.bookings.find((booked) => booked.key === key)
}

function findKey(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-booking]')?.dataset.booking : undefined
}

/** Returns the edge of a booking under the pointer. Edges of short bookings are narrower, to leave a middle to move. */
function findEdge(target: EventTarget, clientX: number): 'start' | 'end' | undefined {
  const box = target instanceof Element && target.closest('[data-booking]')?.getBoundingClientRect()
  if (!box) return undefined
  const edge = Math.min(EDGE, box.width / 4)
  return clientX - box.left <= edge ? 'start' : box.right - clientX <= edge ? 'end' : undefined
}
