/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows that come and go as one scrolls are placed by hand, which a table cannot */
import { type Range, useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useCallback } from 'react'
import { CLOSING_HOUR, OPENING_HOUR } from '#contract/slots.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden/visually-hidden.tsx'
import { findBookedAt, HEAD_HEIGHT, type Item } from './grid-items.ts'
import { PodRow } from './pod-row.tsx'
import type { Now } from './proposal.ts'
import { DAY_END, type RowGroup } from './rows.ts'
import styles from './schedule-grid.module.css'
import type { Cell } from './use-grid-keyboard.ts'
import { type GridPlaces, QUARTERS, useMinutesInSight } from './use-grid-places.ts'

type GridBodyProps = {
  items: readonly Item[]
  places: GridPlaces
  /** The minute to which a day is scrolled when it is opened. */
  opensAt: number
  now: Now
  active: Cell | undefined
  /** Key of the booking that is being moved or resized. */
  held: string | undefined
  changed: ReadonlySet<string>
  onPod: ((podId: string) => void) | undefined
  /** Rendered over the rows. */
  children: ReactNode
}

/** The header with the hours, and the visible rows. Only this part of the grid rerenders while scrolling. */
export function GridBody(props: GridBodyProps) {
  const { items, places, opensAt, now, active, held, changed, onPod, children } = props
  const { scroller, quarter } = places
  const activeIndex = active ? items.findIndex(({ key }) => key === active.key) : -1
  // oxlint-disable-next-line react/incompatible-library -- the portal is built without the compiler
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    estimateSize: (index) => items[index]?.height ?? 0,
    getItemKey: (index) => items[index]?.key ?? index,
    scrollMargin: HEAD_HEIGHT,
    useFlushSync: false,
    rangeExtractor: useCallback((range: Range) => toShown(range, activeIndex), [activeIndex]),
  })
  const firstRow = items.find((item) => item.kind === 'row')
  const inSight = useMinutesInSight(places, firstRow?.row.date, opensAt)
  const topmost = items[virtualizer.range?.startIndex ?? 0]
  return (
    <>
      <div role="rowgroup" className={styles.head}>
        <div role="row" className={styles.hours} aria-rowindex={1}>
          <div
            role="columnheader"
            className={styles.corner}
            aria-colindex={1}
            title={topmost?.kind === 'row' ? topmost.locationName : undefined}
          >
            {/* The location of the topmost visible row, unless that row is its heading. */}
            {topmost?.kind === 'row' ? topmost.locationName : <VisuallyHidden>Pods</VisuallyHidden>}
          </div>
          <Hours />
        </div>
      </div>
      <div role="rowgroup" className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index }) => {
          const item = items[index]
          if (!item) return null
          if (item.kind === 'location')
            return <LocationRow key={item.key} group={item.group} index={index} top={item.top} />
          const { row, key, top } = item
          const minute = active?.key === key ? active.minute : undefined
          return (
            <PodRow
              key={key}
              row={row}
              index={index}
              top={top}
              quarter={quarter}
              from={inSight.start}
              to={inSight.end}
              active={minute}
              isActiveBooked={minute !== undefined && findBookedAt(row, minute) !== undefined}
              held={row.bookings.some((one) => one.key === held) ? held : undefined}
              changed={changed.size > 0 && row.bookings.some((one) => changed.has(one.key)) ? changed : undefined}
              passed={row.date < now.date ? DAY_END : row.date === now.date ? now.minute : undefined}
              onPod={onPod}
            />
          )
        })}
        {children}
      </div>
    </>
  )
}

/** Rows are added and removed in blocks of four: changing rows in a frame is costly, but each further row is cheap. */
const BLOCK = 4

/** Returns the rows to render: the visible blocks, one more above and below, and always the row of the active cell. */
function toShown({ startIndex, endIndex, count }: Range, activeIndex: number): number[] {
  const block = Math.floor(startIndex / BLOCK)
  const first = Math.max(0, block - 1) * BLOCK
  // The end is derived from the start, so that both change in the same frame.
  const end = Math.min(count, (block + Math.ceil((endIndex - startIndex) / BLOCK) + 2) * BLOCK)
  const shown = Array.from({ length: end - first }, (_, index) => first + index)
  return activeIndex === -1 || shown.includes(activeIndex) ? shown : [...shown, activeIndex].sort((a, b) => a - b)
}

const hours = Array.from({ length: CLOSING_HOUR - OPENING_HOUR }, (_, index) => {
  const hour = OPENING_HOUR + index
  return `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`
})

const Hours = memo(function Hours() {
  return hours.map((hour, index) => (
    <div key={hour} role="columnheader" className={styles.hour} aria-colindex={2 + index * 4} aria-colspan={4}>
      {hour}
    </div>
  ))
})

type LocationRowProps = { group: RowGroup; index: number; top: number }

const LocationRow = memo(function LocationRow({ group, index, top }: LocationRowProps) {
  return (
    <div role="row" className={styles.group} style={{ top }} aria-rowindex={index + 2}>
      <div
        role="rowheader"
        className={styles.groupName}
        aria-colindex={1}
        aria-colspan={QUARTERS + 1}
        title={`${group.name}, ${group.city}`}
      >
        {group.name} <span className={styles.groupPlace}>{group.city}</span>
      </div>
    </div>
  )
})
