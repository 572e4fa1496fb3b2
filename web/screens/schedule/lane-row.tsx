/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows that come and go as one scrolls are placed by hand, which a table cannot */
import { memo } from 'react'
import { SLOT_MINUTES } from '#contract/slots.ts'
import { toBookingTone } from '#web/components/status-tones.ts'
import { IconCircleCheck, IconPencil } from '#web/ui/icons/icons.tsx'
import { toSpanText, toTimeText } from './draft.ts'
import { type Booked, DAY_END, DAY_START, type Lane, type Span, toShut } from './lanes.ts'
import styles from './schedule-grid.module.css'

type LaneRowProps = {
  lane: Lane
  /** Its place among the rows. */
  index: number
  top: number
  /** The minute of the active cell, when it is in this lane. */
  active: number | undefined
  isActiveBooked: boolean
  /** The booking that is moved or resized. */
  held: string | undefined
  changed: ReadonlySet<string> | undefined
  /** Until when the day has passed. */
  passed: number | undefined
  onPod: ((podId: string) => void) | undefined
}

/** One line: its name, what cannot be booked, and the bookings. */
export const LaneRow = memo(function LaneRow(props: LaneRowProps) {
  const { lane, index, top, active, isActiveBooked, held, changed, passed, onPod } = props
  return (
    <div role="row" className={styles.lane} style={{ top }} data-lane={index} aria-rowindex={index + 2}>
      <div role="rowheader" className={styles.name} data-name aria-colindex={1}>
        {onPod ? (
          <button
            type="button"
            tabIndex={-1}
            className={styles.podName}
            data-tooltip="Show its week"
            onClick={() => onPod(lane.podId)}
          >
            {lane.name}
          </button>
        ) : (
          <span className={styles.podName}>{lane.name}</span>
        )}
        <span className={styles.detail}>{lane.unavailable ?? lane.detail}</span>
      </div>
      {passed !== undefined && passed > DAY_START && (
        <Area kind="passed" span={{ start: DAY_START, end: Math.min(passed, DAY_END) }} />
      )}
      {lane.unavailable !== undefined && <Area kind="shut" span={{ start: DAY_START, end: DAY_END }} />}
      {lane.unavailable === undefined &&
        toShut(lane.open).map((span) => <Area key={span.start} kind="shut" span={span} />)}
      {lane.closures.map((closure) => (
        <Area key={closure.start} kind="closure" span={closure} text={`Closed: ${closure.reason}`} />
      ))}
      {lane.bookings.map(
        (booked) =>
          booked.buffer > 0 && (
            <Area key={booked.key} kind="buffer" span={{ start: booked.end, end: booked.end + booked.buffer }} />
          ),
      )}
      {lane.bookings.map((booked) => (
        <Booking
          key={booked.key}
          booked={booked}
          id={toCellId(lane, booked.start)}
          isActive={isActiveBooked && active === booked.start}
          isHeld={held === booked.key}
          isChanged={changed?.has(booked.key) ?? false}
        />
      ))}
      {active !== undefined && !isActiveBooked && (
        <div
          role="gridcell"
          id={toCellId(lane, active)}
          className={styles.cell}
          style={toPlace({ start: active, end: active + SLOT_MINUTES })}
          aria-colindex={toColumn(active)}
          aria-label={toTimeText(active)}
          aria-selected
        />
      )}
    </div>
  )
})

type BookingProps = { booked: Booked; id: string; isActive: boolean; isHeld: boolean; isChanged: boolean }

const Booking = memo(function Booking({ booked, id, isActive, isHeld, isChanged }: BookingProps) {
  const { start, end, who, status, isCheckedIn, hasNote } = booked
  const text = toBookedText(booked)
  return (
    <div
      role="gridcell"
      id={id}
      className={styles.booked}
      style={toPlace(booked)}
      data-booking={booked.key}
      data-tone={toBookingTone(status)}
      data-active={isActive || undefined}
      data-held={isHeld || undefined}
      data-changed={isChanged || undefined}
      data-tooltip={text}
      aria-label={text}
      aria-selected={isActive}
      aria-colindex={toColumn(start)}
      aria-colspan={(end - start) / SLOT_MINUTES}
    >
      <span className={styles.who}>{who}</span>
      <span className={styles.status}>
        {isCheckedIn && <IconCircleCheck size={14} />}
        {hasNote && <IconPencil size={14} />}
        {isCheckedIn ? 'Checked in' : status}
      </span>
    </div>
  )
})

/** 'Zanele Dlamini, 9:00 AM to 10:00 AM, Confirmed, checked in, has a note' */
export function toBookedText(booked: Booked): string {
  return [
    booked.who,
    toSpanText(booked),
    booked.status,
    booked.isCheckedIn && 'checked in',
    booked.hasNote && 'has a note',
  ]
    .filter(Boolean)
    .join(', ')
}

function Area({ kind, span, text }: { kind: 'shut' | 'passed' | 'closure' | 'buffer'; span: Span; text?: string }) {
  const within = { start: Math.max(span.start, DAY_START), end: Math.min(span.end, DAY_END) }
  return (
    <div className={styles.area} style={toPlace(within)} data-kind={kind} data-tooltip={text} aria-hidden>
      {text}
    </div>
  )
}

/** An element's id, which has no blanks. */
export function toCellId(lane: Lane, minute: number): string {
  return `cell-${lane.key.replace(' ', '-')}-${minute}`
}

export function toPlace({ start, end }: Span) {
  return { '--from': (start - DAY_START) / SLOT_MINUTES, '--quarters': (end - start) / SLOT_MINUTES }
}

function toColumn(minute: number): number {
  return 2 + (minute - DAY_START) / SLOT_MINUTES
}
