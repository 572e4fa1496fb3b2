import { useCallback, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { SLOT_MINUTES } from '#contract/slots.ts'
import { textScale } from '#web/ui/text-scale.ts'
import { HEAD_HEIGHT, type Item, NAME_WIDTH, type RowItem } from './grid-items.ts'
import { DAY_END, DAY_START, type Span } from './rows.ts'

export const QUARTERS = (DAY_END - DAY_START) / SLOT_MINUTES
/** Smallest readable width of a quarter of an hour, in px. Wider windows give more. */
const LEAST_QUARTER = 22 * textScale

export type GridPlaces = ReturnType<typeof useGridPlaces>

/** Converts between minutes, rows and positions in the scrolled grid. */
export function useGridPlaces(items: readonly Item[]) {
  // State instead of a ref, so that the rows are rendered as soon as the element exists.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  /** Width of a quarter of an hour in px. */
  const [quarter, setQuarter] = useState(LEAST_QUARTER)
  // Fits the hours to the available width.
  useLayoutEffect(() => {
    if (!scroller) return
    const fit = () => setQuarter(Math.max(LEAST_QUARTER, (scroller.clientWidth - NAME_WIDTH) / QUARTERS))
    fit()
    const observer = new ResizeObserver(fit)
    observer.observe(scroller)
    return () => observer.disconnect()
  }, [scroller])

  const toX = (minute: number) => ((minute - DAY_START) / SLOT_MINUTES) * quarter

  function toMinute(clientX: number): number {
    if (!scroller) return DAY_START
    const x = clientX - scroller.getBoundingClientRect().left + scroller.scrollLeft - NAME_WIDTH
    return DAY_START + (x / quarter) * SLOT_MINUTES
  }

  function findRowAt(clientY: number): RowItem | undefined {
    if (!scroller) return undefined
    const y = clientY - scroller.getBoundingClientRect().top + scroller.scrollTop - HEAD_HEIGHT
    const item = items.find(({ top, height }) => top <= y && y < top + height)
    return item?.kind === 'row' ? item : undefined
  }

  /** Scrolls as little as needed to show a span of a row. */
  function reveal({ top, height }: Item, span: Span) {
    if (!scroller) return
    const [left, right] = [toX(span.start), toX(span.end)]
    const [width, inner] = [scroller.clientWidth - NAME_WIDTH, scroller.clientHeight - HEAD_HEIGHT]
    const x =
      left < scroller.scrollLeft
        ? left - quarter
        : right > scroller.scrollLeft + width
          ? right - width + quarter
          : undefined
    const y =
      top < scroller.scrollTop ? top : top + height > scroller.scrollTop + inner ? top + height - inner : undefined
    scroller.scrollTo({ ...(x !== undefined && { left: x }), ...(y !== undefined && { top: y }) })
  }

  return { scroller, setScroller, quarter, toX, toMinute, findRowAt, reveal }
}

const HOUR = 60

/**
 * Scrolls each `day` to its minute `first`, and returns the visible minutes in whole hours, with one more hour on either
 * side. Changes only with the hour, so that rows do not rerender for each scrolled pixel.
 */
export function useMinutesInSight(
  { scroller, quarter, toX }: GridPlaces,
  day: string | undefined,
  first: number,
): Span {
  const subscribe = useCallback(
    (notify: () => void) => {
      scroller?.addEventListener('scroll', notify, { passive: true })
      return () => scroller?.removeEventListener('scroll', notify)
    },
    [scroller],
  )
  const hour = (quarter * HOUR) / SLOT_MINUTES
  const scrolled = useSyncExternalStore(subscribe, () => Math.floor((scroller?.scrollLeft ?? 0) / hour) - 1)
  const [scrolledDay, setScrolledDay] = useState<string>()
  const width = (scroller?.clientWidth ?? 0) - NAME_WIDTH
  // A new day is rendered where it will be scrolled to, because rendering its bookings twice takes twice as long.
  const left = Math.max(0, Math.min(toX(first), QUARTERS * quarter - width))
  useLayoutEffect(() => {
    if (!scroller) return
    scroller.scrollTo({ left })
    setScrolledDay(day)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each day, not as time passes
  }, [day, scroller])
  const start = scrolledDay === day ? scrolled : Math.floor(left / hour) - 1
  const hours = Math.ceil(width / hour) + 3
  return { start: DAY_START + start * HOUR, end: DAY_START + (start + hours) * HOUR }
}
