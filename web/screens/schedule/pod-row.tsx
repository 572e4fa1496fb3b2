/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows that come and go as one scrolls are placed by hand, which a table cannot */
import { memo } from 'react'
import { SLOT_MINUTES } from '#contract/slots.ts'
import { toBookingTone } from '#web/components/status-tones.ts'
import { IconCircleCheck, IconPencil } from '#web/ui/icons/icons.tsx'
import { NAME_WIDTH } from './grid-items.ts'
import { type Booked, DAY_END, DAY_START, type Row, type Span, toClosedSpans, toShut } from './rows.ts'
import styles from './schedule-grid.module.css'
import { toBookedText, toVisibleTexts, toTimeText } from './schedule-texts.ts'

type PodRowProps = {
  row: Row
  /** Index among the items of the grid. */
  index: number
  top: number
  /** Width of a quarter of an hour in px. */
  quarter: number
  /** The visible minutes of the day; bookings outside them are not rendered. */
  from: number
  to: number
  /** The minute of the active cell, when it is in this row. */
  active: number | undefined
  isActiveBooked: boolean
  /** Key of the booking that is being moved or resized. */
  held: string | undefined
  changed: ReadonlySet<string> | undefined
  /** The minute up to which the day has passed. */
  passed: number | undefined
  onPod: ((podId: string) => void) | undefined
}

/** One row: its name, the times that cannot be booked, and the bookings. */
export const PodRow = memo(function PodRow(props: PodRowProps) {
  const { row, index, top, quarter, from, to, active, isActiveBooked, held, changed, passed, onPod } = props
  const bookings = row.bookings.filter(
    ({ start, end, buffer, key }) => (start < to && end + buffer > from) || key === held || start === active,
  )
  return (
    <div role="row" className={styles.row} style={{ top }} data-row={index} aria-rowindex={index + 2}>
      <div role="rowheader" className={styles.name} data-name aria-colindex={1}>
        {onPod ? (
          <button
            type="button"
            tabIndex={-1}
            className={styles.podName}
            data-tooltip={`Week of ${row.name}`}
            onClick={() => onPod(row.podId)}
          >
            {row.name}
          </button>
        ) : (
          <span className={styles.podName}>{row.name}</span>
        )}
        <span className={styles.detail}>{row.unavailable ?? row.detail}</span>
      </div>
      {passed !== undefined && passed > DAY_START && (
        <Area quarter={quarter} kind="passed" span={{ start: DAY_START, end: Math.min(passed, DAY_END) }} />
      )}
      {row.unavailable !== undefined && (
        <Area quarter={quarter} kind="shut" span={{ start: DAY_START, end: DAY_END }} />
      )}
      {row.unavailable === undefined &&
        toShut(row.open).map((span) => <Area key={span.start} quarter={quarter} kind="shut" span={span} />)}
      {toClosedSpans(row.closures).map((span) => (
        <Area key={span.start} quarter={quarter} kind="closure" span={span} text={`Closed: ${span.reasons}`} />
      ))}
      {bookings.map(
        (booked) =>
          booked.buffer > 0 && (
            <Area
              key={booked.key}
              quarter={quarter}
              kind="buffer"
              span={{ start: booked.end, end: booked.end + booked.buffer }}
            />
          ),
      )}
      {bookings.map((booked) => (
        <Booking
          key={booked.key}
          booked={booked}
          quarter={quarter}
          activeId={isActiveBooked && active === booked.start ? toCellId(row, active) : undefined}
          isHeld={held === booked.key}
          isChanged={changed?.has(booked.key) ?? false}
        />
      ))}
      {active !== undefined && !isActiveBooked && (
        <div
          role="gridcell"
          id={toCellId(row, active)}
          className={styles.cell}
          style={toPlace({ start: active, end: active + SLOT_MINUTES }, quarter)}
          aria-colindex={toColumn(active)}
          aria-label={toTimeText(active)}
          aria-selected
        />
      )}
    </div>
  )
})

type BookingProps = {
  booked: Booked
  quarter: number
  activeId: string | undefined
  isHeld: boolean
  isChanged: boolean
}

/** A booking as a single element with two lines of text, because many elements make scrolling slow. */
const Booking = memo(function Booking({ booked, quarter, activeId, isHeld, isChanged }: BookingProps) {
  const { start, end, status, isCheckedIn, hasNote, isSaving } = booked
  const text = toBookedText(booked)
  const [who, state] = toVisibleTexts(booked)
  return (
    <div
      role="gridcell"
      id={activeId}
      className={styles.booked}
      style={toPlace(booked, quarter)}
      data-booking={booked.key}
      data-tone={toBookingTone(status)}
      data-active={activeId && true}
      data-held={isHeld || undefined}
      data-saving={isSaving}
      data-changed={isChanged || undefined}
      data-tooltip={text}
      aria-label={text}
      aria-selected={activeId ? true : undefined}
      aria-colindex={toColumn(start)}
      aria-colspan={(end - start) / SLOT_MINUTES}
    >
      {`${who}\n`}
      {isCheckedIn && <IconCircleCheck size={14} />}
      {hasNote && <IconPencil size={14} />}
      {state}
    </div>
  )
})

/** In px: the word ‘Closed’ fits. A shorter closure shows its text only in the tooltip. */
const MIN_TEXT_WIDTH = 56

type AreaProps = { kind: 'shut' | 'passed' | 'closure' | 'buffer'; quarter: number; span: Span; text?: string }

function Area({ kind, quarter, span, text }: AreaProps) {
  const place = toPlace({ start: Math.max(span.start, DAY_START), end: Math.min(span.end, DAY_END) }, quarter)
  return (
    <div className={styles.area} style={place} data-kind={kind} data-tooltip={text} aria-hidden>
      {text && place.width >= MIN_TEXT_WIDTH && <span>{text}</span>}
    </div>
  )
}

/** Returns the id of a cell's element, without spaces. */
export function toCellId(row: Row, minute: number): string {
  return `cell-${row.key.replace(' ', '-')}-${minute}`
}

/** Returns the position in px, because custom properties would be resolved again for each booking. */
export function toPlace({ start, end }: Span, quarter: number) {
  return {
    left: NAME_WIDTH + ((start - DAY_START) / SLOT_MINUTES) * quarter,
    width: ((end - start) / SLOT_MINUTES) * quarter,
  }
}

function toColumn(minute: number): number {
  return 2 + (minute - DAY_START) / SLOT_MINUTES
}
