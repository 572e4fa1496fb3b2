/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows that come and go as one scrolls are placed by hand, which a table cannot */
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { CLOSING_HOUR, OPENING_HOUR, SLOT_MINUTES } from '#contract/slots.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden/visually-hidden.tsx'
import {
  type Draft,
  findFixedReason,
  findObstacle,
  hasBegun,
  keepInDay,
  type Now,
  toNewDraft,
  toNewSpan,
  toQuarter,
  toSpanText,
  toSpokenDraft,
} from './draft.ts'
import { DraftGhost } from './draft-ghost.tsx'
import { LaneRow, toBookedText, toCellId } from './lane-row.tsx'
import { type Booked, DAY_END, DAY_START, type Lane, type LaneGroup } from './lanes.ts'
import styles from './schedule-grid.module.css'
import { useQuote } from './use-quote.ts'

const QUARTERS = (DAY_END - DAY_START) / SLOT_MINUTES
/** Px: what is readable. Wider windows give more. */
const LEAST_QUARTER = 22
const NAME_WIDTH = 208
const HEAD_HEIGHT = 36
const GROUP_HEIGHT = 36
const LANE_HEIGHT = 48
const PAGE_LANES = 10
/** Px within which an edge is taken hold of, and after which a press is a drag. */
const EDGE = 6
const DRAG_AFTER = 4
const SCROLL_EDGE = 36

type Item = { kind: 'group'; key: string; group: LaneGroup } | { kind: 'lane'; key: string; lane: Lane }

type Cell = { key: string; minute: number }

/** A press of the mouse, from its beginning. */
type Press = {
  kind: Draft['kind']
  lane: Lane
  booked?: Booked
  /** Of what is resized: the side that stays. */
  fixed: number
  /** Of what is moved: minutes from its start to where it is held. */
  held: number
  x: number
  y: number
  isDrag: boolean
}

type ScheduleGridProps = {
  label: string
  groups: readonly LaneGroup[]
  now: Now
  /** Bookings that somebody else has just made or moved. */
  changed: ReadonlySet<string>
  busy: boolean
  mayMake: boolean
  onOpen: (booked: Booked) => void
  onMake: (draft: Draft) => void
  /** Of what was moved or resized to where it can be; without it bookings stay where they are. */
  onDrop: ((draft: Draft) => void) | undefined
  onPod: ((podId: string) => void) | undefined
}

/**
 * Pods down, the day across. One element has the focus (`role=grid`, its active cell by `aria-activedescendant`), so that
 * rows come and go as one scrolls. What is dragged, by mouse or keyboard, is a draft that is drawn over the rows.
 */
export function ScheduleGrid(props: ScheduleGridProps) {
  const { label, groups, now, changed, busy, mayMake, onOpen, onMake, onDrop, onPod } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [quarter, setQuarter] = useState(LEAST_QUARTER)
  const [active, setActive] = useState<Cell>()
  const [draft, setDraftState] = useState<Draft>()
  const [spoken, setSpoken] = useState('')
  const press = useRef<Press>(undefined)
  const pointer = useRef({ x: 0, y: 0 })
  const latestDraft = useRef<Draft>(undefined)
  const wasDragged = useRef(false)

  const items = useMemo(() => toItems(groups), [groups])
  const lanes = useMemo(
    () => items.flatMap((item, index) => (item.kind === 'lane' ? [{ lane: item.lane, index }] : [])),
    [items],
  )
  const places = useMemo(() => new Map(lanes.map(({ lane }, place) => [lane.key, place])), [lanes])
  const activePlace = active && places.get(active.key)
  const activeLane = activePlace === undefined ? undefined : lanes[activePlace]
  const activeIndex = activeLane?.index

  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (items[index]?.kind === 'group' ? GROUP_HEIGHT : LANE_HEIGHT),
    getItemKey: (index) => items[index]?.key ?? index,
    scrollMargin: HEAD_HEIGHT,
    scrollPaddingStart: HEAD_HEIGHT,
    overscan: 4,
    useFlushSync: false,
    // The active cell is in the page wherever one has scrolled to.
    rangeExtractor: useCallback(
      (range: Range) => {
        const shown = defaultRangeExtractor(range)
        if (activeIndex === undefined || shown.includes(activeIndex)) return shown
        return [...shown, activeIndex].sort((a, b) => a - b)
      },
      [activeIndex],
    ),
  })

  function setDraft(next: Draft | undefined) {
    latestDraft.current = next
    setDraftState(next)
  }

  // The hours take the width that there is.
  useLayoutEffect(() => {
    const node = scroller.current
    if (!node) return
    const fit = () => setQuarter(Math.max(LEAST_QUARTER, (node.clientWidth - NAME_WIDTH) / QUARTERS))
    fit()
    const observer = new ResizeObserver(fit)
    observer.observe(node)
    return () => observer.disconnect()
  }, [])

  // A day begins where something goes on: an hour before now, or at the first booking.
  const isToday = groups.some(({ lanes }) => lanes.some(({ date }) => date === now.date))
  const firstDate = lanes[0]?.lane.date
  useLayoutEffect(() => {
    const first = Math.min(...lanes.flatMap(({ lane }) => lane.bookings[0]?.start ?? []))
    const from = isToday ? now.minute - 60 : Number.isFinite(first) ? first - 30 : 8 * 60
    scroller.current?.scrollTo({ left: toX(from) })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each day, not as time passes
  }, [firstDate])

  const toX = (minute: number) => ((minute - DAY_START) / SLOT_MINUTES) * quarter
  const toMinute = (clientX: number) => {
    const node = scroller.current
    if (!node) return DAY_START
    const x = clientX - node.getBoundingClientRect().left + node.scrollLeft - NAME_WIDTH
    return DAY_START + (x / quarter) * SLOT_MINUTES
  }
  const toLane = (clientY: number): Lane | undefined => {
    const node = scroller.current
    if (!node) return undefined
    const item = virtualizer.getVirtualItemForOffset(clientY - node.getBoundingClientRect().top + node.scrollTop)
    const found = item && items[item.index]
    return found?.kind === 'lane' ? found.lane : undefined
  }

  function reveal(index: number, span: { start: number; end: number }) {
    virtualizer.scrollToIndex(index, { align: 'auto' })
    const node = scroller.current
    if (!node) return
    const [left, right] = [toX(span.start), toX(span.end)]
    const width = node.clientWidth - NAME_WIDTH
    if (left < node.scrollLeft) node.scrollLeft = left - quarter
    else if (right > node.scrollLeft + width) node.scrollLeft = right - width + quarter
  }

  // By mouse

  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    // A finger scrolls; what it taps is a click.
    if (event.button !== 0 || event.pointerType === 'touch') return
    const lane = findLaneOf(event.target)
    if (!lane) return
    const minute = toMinute(event.clientX)
    const booked = findBooked(lane, event.target)
    const at = { lane, x: event.clientX, y: event.clientY, isDrag: false }
    if (!booked) {
      if (mayMake) press.current = { ...at, kind: 'make', fixed: toQuarter(minute), held: 0 }
      return
    }
    if (!onDrop || findFixedReason(booked, now) !== undefined) return
    const edge = findEdge(event.target, event.clientX)
    if (edge === 'start' && !hasBegun(booked, now))
      press.current = { ...at, kind: 'resize', booked, fixed: booked.end, held: 0 }
    else if (edge === 'end') press.current = { ...at, kind: 'resize', booked, fixed: booked.start, held: 0 }
    else if (!hasBegun(booked, now))
      press.current = { ...at, kind: 'move', booked, fixed: 0, held: minute - booked.start }
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
    followPointer()
  }

  function followPointer() {
    const pressed = press.current
    if (!pressed) return
    const { kind, lane, booked, fixed, held } = pressed
    const minute = toMinute(pointer.current.x)
    if (kind === 'make') {
      const at = Math.max(DAY_START, Math.min(toQuarter(minute), DAY_END - SLOT_MINUTES))
      return setDraft({ kind, lane, start: Math.min(at, fixed), end: Math.max(at, fixed) + SLOT_MINUTES })
    }
    if (!booked) return
    if (kind === 'move') {
      const start = Math.round((minute - held) / SLOT_MINUTES) * SLOT_MINUTES
      const to = toLane(pointer.current.y) ?? latestDraft.current?.lane ?? lane
      return setDraft({ kind, booked, from: lane, lane: to, ...keepInDay(start, booked.end - booked.start) })
    }
    const at = Math.max(DAY_START, Math.min(Math.round(minute / SLOT_MINUTES) * SLOT_MINUTES, DAY_END))
    const span =
      fixed === booked.start
        ? { start: fixed, end: Math.max(at, fixed + SLOT_MINUTES) }
        : { start: Math.min(at, fixed - SLOT_MINUTES), end: fixed }
    setDraft({ kind, booked, from: lane, lane, ...span })
  }

  function scrollAtEdges() {
    const node = scroller.current
    if (!node || !press.current) return
    const box = node.getBoundingClientRect()
    const { x, y } = pointer.current
    const by = (at: number, from: number, to: number) =>
      at < from + SCROLL_EDGE
        ? Math.max(-16, (at - from - SCROLL_EDGE) / 3)
        : at > to - SCROLL_EDGE
          ? Math.min(16, (at - to + SCROLL_EDGE) / 3)
          : 0
    const [left, top] = [by(x, box.left + NAME_WIDTH, box.right), by(y, box.top + HEAD_HEIGHT, box.bottom)]
    if (left !== 0 || top !== 0) {
      node.scrollBy(left, press.current.kind === 'move' ? top : 0)
      followPointer()
    }
    requestAnimationFrame(scrollAtEdges)
  }

  function onPointerUp() {
    const pressed = press.current
    press.current = undefined
    if (pressed?.isDrag && latestDraft.current) finish(latestDraft.current)
  }

  function putBack() {
    press.current = undefined
    setDraft(undefined)
  }

  /** Lets a draft go: saved when it can be, else put back. */
  function finish(dropped: Draft) {
    setDraft(undefined)
    const obstacle = findObstacle(dropped, now)
    if (obstacle !== undefined) return setSpoken(`Put back. ${obstacle}.`)
    setActive({ key: dropped.lane.key, minute: dropped.start })
    if (dropped.kind === 'make') return onMake(dropped)
    const { booked, from } = dropped
    if (booked && from?.key === dropped.lane.key && booked.start === dropped.start && booked.end === dropped.end) return
    onDrop?.(dropped)
  }

  function onClick(event: React.MouseEvent<HTMLDivElement>) {
    if (wasDragged.current) {
      wasDragged.current = false
      return
    }
    const lane = findLaneOf(event.target)
    if (!lane) return
    const booked = findBooked(lane, event.target)
    setActive({ key: lane.key, minute: booked ? booked.start : toQuarter(toMinute(event.clientX)) })
    if (booked) onOpen(booked)
    else make(lane, toQuarter(toMinute(event.clientX)))
  }

  function make(lane: Lane, minute: number) {
    if (!mayMake) return
    const made = toNewDraft(lane, minute)
    const obstacle = findObstacle(made, now)
    if (obstacle === undefined) onMake(made)
    else setSpoken(`${toSpanText(made)}. ${obstacle}.`)
  }

  function findLaneOf(target: EventTarget): Lane | undefined {
    if (!(target instanceof Element) || target.closest('[data-name]')) return undefined
    const index = target.closest<HTMLElement>('[data-lane]')?.dataset.lane
    const item = index === undefined ? undefined : items[Number(index)]
    return item?.kind === 'lane' ? item.lane : undefined
  }

  function showCursor({ target, clientX, currentTarget }: PointerEvent<HTMLDivElement>) {
    const lane = findLaneOf(target)
    const booked = lane && findBooked(lane, target)
    const edge = booked && onDrop && findFixedReason(booked, now) === undefined ? findEdge(target, clientX) : undefined
    const cursor = edge === 'end' || (edge === 'start' && booked && !hasBegun(booked, now)) ? 'edge' : ''
    if (currentTarget.dataset.cursor !== cursor) currentTarget.dataset.cursor = cursor
  }

  // By keyboard

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) {
      if (!(event.ctrlKey && (event.key === 'Home' || event.key === 'End'))) return
    }
    const done = draft && !press.current ? steer(event, draft) : walk(event)
    if (!done) return
    event.preventDefault()
    event.stopPropagation()
  }

  /** Moves, resizes or draws out what is held. */
  function steer({ key, shiftKey }: KeyboardEvent, held: Draft): boolean {
    if (key === 'Escape') {
      putBack()
      setSpoken(held.kind === 'make' ? 'Nothing made.' : 'Put back.')
      return true
    }
    if (key === 'Enter' || (held.kind === 'make' && key.toLowerCase() === 'n')) {
      const obstacle = findObstacle(held, now)
      // It stays in hand, to be steered elsewhere.
      if (obstacle === undefined) finish(held)
      else setSpoken(`It cannot be dropped here. ${obstacle}.`)
      return true
    }
    const step = steps[key]
    if (!step) return key !== 'Tab'
    const next = held.kind === 'move' ? moveBy(held, step) : resizeBy(held, step)
    if (held.kind === 'make' && !shiftKey) {
      putBack()
      return walk({ key, shiftKey, ctrlKey: false })
    }
    if (!next) return true
    setDraft(next)
    setSpoken(toSpokenDraft(next, now))
    const place = places.get(next.lane.key)
    if (place !== undefined) reveal(lanes[place]?.index ?? 0, next)
    return true
  }

  function moveBy(held: Draft, { right, down }: Step): Draft | undefined {
    const lane = lanes[(places.get(held.lane.key) ?? 0) + down]?.lane
    return lane && { ...held, lane, ...keepInDay(held.start + right * SLOT_MINUTES, held.end - held.start) }
  }

  /** Left and right change the end, up and down the start. */
  function resizeBy(held: Draft, { right, down }: Step): Draft | undefined {
    const start = Math.max(DAY_START, held.start + down * SLOT_MINUTES)
    const end = Math.min(DAY_END, held.end + right * SLOT_MINUTES)
    return end - start < SLOT_MINUTES ? undefined : { ...held, start, end }
  }

  function walk({ key, shiftKey, ctrlKey }: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey'>): boolean {
    const place = activePlace ?? 0
    const lane = lanes[place]?.lane
    if (!lane) return false
    const minute = active?.minute ?? toFirstMinute()
    const booked = findAt(lane, minute)
    const step = steps[key]
    if (step && shiftKey) return hold(booked ? 'resize' : 'make', lane, booked, minute, step)
    if (step) {
      const span = booked ?? { start: minute, end: minute + SLOT_MINUTES }
      const to = step.right > 0 ? span.end : step.right < 0 ? span.start - SLOT_MINUTES : minute
      return goTo(place + step.down, to)
    }
    if (key === 'Home') return goTo(ctrlKey ? 0 : place, DAY_START)
    if (key === 'End') return goTo(ctrlKey ? lanes.length - 1 : place, DAY_END - SLOT_MINUTES)
    if (key === 'PageUp') return goTo(place - PAGE_LANES, minute)
    if (key === 'PageDown') return goTo(place + PAGE_LANES, minute)
    if (key === 'Enter' || key === ' ') {
      if (booked) onOpen(booked)
      else make(lane, minute)
      return true
    }
    if (key.toLowerCase() === 'n' && !booked) {
      make(lane, minute)
      return true
    }
    if (key.toLowerCase() === 'm' && booked) return hold('move', lane, booked, minute)
    if (key.toLowerCase() === 'w' && onPod) {
      onPod(lane.podId)
      return true
    }
    return false
  }

  function hold(kind: Draft['kind'], lane: Lane, booked: Booked | undefined, minute: number, step?: Step): boolean {
    const fixed = booked && findFixedReason(booked, now)
    if (fixed !== undefined || (kind === 'make' ? !mayMake : !onDrop)) {
      setSpoken(fixed ?? '')
      return true
    }
    const span = booked ?? { start: minute, end: minute + SLOT_MINUTES }
    const held: Draft = { kind, lane, booked, from: booked && lane, start: span.start, end: span.end }
    const next =
      (step && kind !== 'move' && resizeBy(held, kind === 'make' ? { right: step.right, down: 0 } : step)) || held
    setDraft(next)
    const keys = kind === 'make' ? 'Enter makes a booking' : `Enter ${kind === 'move' ? 'drops' : 'keeps'} it`
    setSpoken(`${kind === 'move' ? `Moving ${booked?.who}.` : toSpokenDraft(next, now)} ${keys}, Escape puts it back.`)
    return true
  }

  function goTo(place: number, minute: number): boolean {
    const next = lanes[Math.max(0, Math.min(place, lanes.length - 1))]
    if (!next) return true
    const at = Math.max(DAY_START, Math.min(toQuarter(minute), DAY_END - SLOT_MINUTES))
    const booked = findAt(next.lane, at)
    setActive({ key: next.lane.key, minute: booked?.start ?? at })
    reveal(next.index, booked ?? { start: at, end: at + SLOT_MINUTES })
    setSpoken(`${next.lane.name}, ${booked ? toBookedText(booked) : toFreeText(next.lane, at, now)}`)
    return true
  }

  function toFirstMinute(): number {
    return isToday ? Math.max(DAY_START, toQuarter(now.minute)) : 8 * 60
  }

  // A row that goes takes the active cell with it.
  useEffect(() => {
    if (active && !places.has(active.key)) setActive(undefined)
  }, [active, places])

  const obstacle = draft && findObstacle(draft, now)
  const quote = useQuote(draft, obstacle === undefined)
  const quoteText = quote?.text
  // What the server adds is said after the step, once it has answered.
  useEffect(() => {
    if (quoteText !== undefined && !press.current) setSpoken((text) => `${text} ${quoteText}.`)
  }, [quoteText])

  const shown = virtualizer.getVirtualItems()
  const activeBooked = activeLane && active && findAt(activeLane.lane, active.minute)
  const nowLeft = NAME_WIDTH + toX(now.minute)
  const laneOfNow = (lane: Lane) => lane.date === now.date
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a grid is interactive */}
      <div
        ref={scroller}
        className={styles.grid}
        style={{
          '--quarter': `${quarter}px`,
          '--name': `${NAME_WIDTH}px`,
          '--lane': `${LANE_HEIGHT}px`,
          '--head': `${HEAD_HEIGHT}px`,
        }}
        data-busy={busy || undefined}
        data-drag={press.current?.isDrag ? draft?.kind : undefined}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-describedby="schedule-keys"
        aria-rowcount={items.length + 1}
        aria-colcount={QUARTERS + 1}
        aria-busy={busy}
        aria-activedescendant={active && activeLane ? toCellId(activeLane.lane, active.minute) : undefined}
        onFocus={() => {
          const first = lanes[0]
          if (!active && first)
            setActive({ key: first.lane.key, minute: findAt(first.lane, toFirstMinute())?.start ?? toFirstMinute() })
        }}
        onBlur={() => draft && !press.current && putBack()}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={putBack}
        onClick={onClick}
      >
        <div role="rowgroup" className={styles.head}>
          <div role="row" className={styles.hours} aria-rowindex={1}>
            <div role="columnheader" className={styles.corner} aria-colindex={1}>
              {toCornerText(items, virtualizer.range?.startIndex)}
            </div>
            {hours.map((hour, place) => (
              <div
                key={hour}
                role="columnheader"
                className={styles.hour}
                aria-colindex={2 + place * 4}
                aria-colspan={4}
              >
                {hour}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
          {shown.map(({ index, key, start }) => {
            const item = items[index]
            if (!item) return null
            const top = start - HEAD_HEIGHT
            if (item.kind === 'group') return <GroupRow key={key} group={item.group} index={index} top={top} />
            const { lane } = item
            return (
              <LaneRow
                key={key}
                lane={lane}
                index={index}
                top={top}
                active={active?.key === lane.key ? active.minute : undefined}
                isActiveBooked={active?.key === lane.key && activeBooked !== undefined}
                held={draft?.from?.key === lane.key ? draft.booked?.key : undefined}
                changed={lane.bookings.some((one) => changed.has(one.key)) ? changed : undefined}
                passed={lane.date < now.date ? DAY_END : laneOfNow(lane) ? now.minute : undefined}
                onPod={onPod}
              />
            )
          })}
          {isToday && groups.length > 0 && now.minute > DAY_START && (
            <NowLine
              left={nowLeft}
              lanes={lanes.filter(({ lane }) => laneOfNow(lane))}
              isWhole={lanes.every(({ lane }) => laneOfNow(lane))}
              toTop={(index) => (virtualizer.measurementsCache[index]?.start ?? 0) - HEAD_HEIGHT}
            />
          )}
          {draft && (
            <DraftGhost
              draft={draft}
              obstacle={obstacle ?? (quote?.isRefused ? quote.text : undefined)}
              price={quote?.isRefused ? undefined : quoteText}
              top={
                (virtualizer.measurementsCache[lanes[places.get(draft.lane.key) ?? 0]?.index ?? 0]?.start ?? 0) -
                HEAD_HEIGHT
              }
            />
          )}
        </div>
      </div>
      <VisuallyHidden>
        <span id="schedule-keys">
          Arrows walk by quarter of an hour and pod. Enter opens a booking. N makes one. M moves one: arrows, then Enter
          drops it, Escape puts it back. Shift with left or right changes its end, with up or down its start. W shows
          the week of a pod.
        </span>
        <span aria-live="assertive" data-testid="schedule-spoken">
          {spoken}
        </span>
      </VisuallyHidden>
    </>
  )
}

type Step = { right: number; down: number }

const steps: Partial<Record<string, Step>> = {
  ArrowRight: { right: 1, down: 0 },
  ArrowLeft: { right: -1, down: 0 },
  ArrowDown: { right: 0, down: 1 },
  ArrowUp: { right: 0, down: -1 },
}

const hours = Array.from({ length: CLOSING_HOUR - OPENING_HOUR }, (_, place) => {
  const hour = OPENING_HOUR + place
  return `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`
})

function toItems(groups: readonly LaneGroup[]): Item[] {
  // The days of one pod need no location above them.
  const isWeek = groups.length === 1 && groups[0]?.lanes[1]?.podId === groups[0]?.lanes[0]?.podId
  return groups.flatMap((group): Item[] => [
    ...(isWeek ? [] : [{ kind: 'group', key: group.key, group } as const]),
    ...group.lanes.map((lane) => ({ kind: 'lane', key: lane.key, lane }) as const),
  ])
}

/** The location that one has scrolled to. */
function toCornerText(items: readonly Item[], index = 0): string {
  const item = items[index]
  return item?.kind === 'lane' ? item.lane.locationName : (item?.group.name ?? '')
}

function findAt(lane: Lane, minute: number): Booked | undefined {
  return lane.bookings.find(({ start, end }) => start <= minute && end > minute)
}

function toFreeText(lane: Lane, minute: number, now: Now): string {
  const span = { start: minute, end: minute + SLOT_MINUTES }
  const obstacle = findObstacle({ kind: 'make', lane, ...span }, now)
  if (obstacle !== undefined) return `${toSpanText(span)}. ${obstacle}.`
  return `${toSpanText(toNewSpan(lane, minute, 180))}. Free.`
}

function findBooked(lane: Lane, target: EventTarget): Booked | undefined {
  const key = target instanceof Element && target.closest<HTMLElement>('[data-booking]')?.dataset.booking
  return lane.bookings.find((booked) => booked.key === key)
}

/** Which edge of a booking is under the pointer; the middle of a short one still moves it. */
function findEdge(target: EventTarget, clientX: number): 'start' | 'end' | undefined {
  const box = target instanceof Element && target.closest('[data-booking]')?.getBoundingClientRect()
  if (!box) return undefined
  const edge = Math.min(EDGE, box.width / 4)
  return clientX - box.left <= edge ? 'start' : box.right - clientX <= edge ? 'end' : undefined
}

function GroupRow({ group, index, top }: { group: LaneGroup; index: number; top: number }) {
  return (
    <div role="row" className={styles.group} style={{ top }} aria-rowindex={index + 2}>
      <div role="rowheader" className={styles.groupName} aria-colindex={1} aria-colspan={QUARTERS + 1}>
        {group.name} <span className={styles.groupPlace}>{group.city}</span>
      </div>
    </div>
  )
}

type NowLineProps = {
  left: number
  isWhole: boolean
  lanes: readonly { index: number }[]
  toTop: (index: number) => number
}

/** Through all rows, or in a week through today's. */
function NowLine({ left, isWhole, lanes, toTop }: NowLineProps) {
  const place = isWhole ? { top: 0, bottom: 0 } : { top: toTop(lanes[0]?.index ?? 0), height: LANE_HEIGHT }
  return <div className={styles.now} style={{ left, ...place }} aria-hidden />
}
