import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { VisuallyHidden } from '#web/ui/visually-hidden/visually-hidden.tsx'
import { GridBody } from './grid-body.tsx'
import { findBookedAt, HEAD_HEIGHT, NAME_WIDTH, ROW_HEIGHT, type RowItem, toItems } from './grid-items.ts'
import { toCellId } from './pod-row.tsx'
import { ProposalPreview } from './proposal-preview.tsx'
import {
  findHoursNote,
  findObstacle,
  IS_SAVING,
  type Now,
  type Proposal,
  toNewProposal,
  toSpokenProposal,
} from './proposal.ts'
import { type Booked, DAY_START, type Row, type RowGroup } from './rows.ts'
import styles from './schedule-grid.module.css'
import { CANNOT_MAKE, type Cell, toFirstMinute, useGridKeyboard } from './use-grid-keyboard.ts'
import { QUARTERS, useGridPlaces } from './use-grid-places.ts'
import { useGridPointer } from './use-grid-pointer.ts'
import { useQuote } from './use-quote.ts'

type ScheduleGridProps = {
  label: string
  groups: readonly RowGroup[]
  /** Identifies the choice of pods. */
  filters: string
  now: Now
  /** Keys of bookings that somebody else has just made or changed. */
  changed: ReadonlySet<string>
  busy: boolean
  mayMake: boolean
  onOpen: (booked: Booked) => void
  onMake: (proposal: Proposal) => void
  /** Called when a booking was moved or resized to a possible place; undefined if the person may not move bookings. */
  onDrop: ((proposal: Proposal) => void) | undefined
  onPod: ((podId: string) => void) | undefined
}

/** Scrolls to the top when other pods are chosen. */
function useScrollTopOnChange(filters: string, scroller: HTMLElement | null): void {
  const shown = useRef(filters)
  useLayoutEffect(() => {
    if (shown.current === filters) return
    shown.current = filters
    scroller?.scrollTo({ top: 0 })
  }, [filters, scroller])
}

/**
 * The grid of pods (down) and hours (across). The grid itself has the focus and names the active cell in
 * `aria-activedescendant`, so that rows can be added and removed while scrolling. What is dragged, by mouse or
 * keyboard, is a proposal rendered over the rows.
 */
export function ScheduleGrid(props: ScheduleGridProps) {
  const { label, groups, filters, now, changed, busy, mayMake, onOpen, onMake, onDrop, onPod } = props
  const [active, setActive] = useState<Cell>()
  const [proposal, propose] = useState<Proposal>()
  const [spoken, say] = useState('')

  const items = useMemo(() => toItems(groups), [groups])
  const rows = useMemo(() => items.filter((item): item is RowItem => item.kind === 'row'), [items])
  const places = useGridPlaces(items)
  useScrollTopOnChange(filters, places.scroller)
  const may = { mayMake, mayMove: onDrop !== undefined }
  const activeRow = active && rows.find(({ key }) => key === active.key)?.row

  const pointer = useGridPointer({ places, items, now, ...may, propose, finish, onClick })
  const onKeyDown = useGridKeyboard({
    places,
    rows,
    now,
    ...may,
    active,
    setActive,
    propose,
    finish,
    say,
    onOpen: open,
    make,
    onPod,
    proposal: pointer.isPressed() ? undefined : proposal,
  })

  const todays = rows.filter(({ row }) => row.date === now.date)
  // A day opens where things happen: an hour before now, or just before the first booking.
  const firstBooked = Math.min(...rows.flatMap(({ row }) => row.bookings[0]?.start ?? []))
  const opensAt = todays.length > 0 ? now.minute - 60 : Number.isFinite(firstBooked) ? firstBooked - 30 : 8 * 60

  // Clears the active cell when its row is gone.
  useEffect(() => {
    if (active && !activeRow) setActive(undefined)
  }, [active, activeRow])

  /** Drops a proposal: saves it if possible, else puts the booking back. */
  function finish(dropped: Proposal) {
    propose(undefined)
    const obstacle = findObstacle(dropped, now)
    if (obstacle !== undefined) return say(`Put back. ${obstacle}.`)
    setActive({ key: dropped.row.key, minute: dropped.start })
    if (dropped.kind === 'make') return onMake(dropped)
    const { booked, from } = dropped
    if (booked && from?.key === dropped.row.key && booked.start === dropped.start && booked.end === dropped.end) return
    onDrop?.(dropped)
  }

  function onClick(row: Row, booked: Booked | undefined, minute: number) {
    setActive({ key: row.key, minute: booked ? booked.start : minute })
    if (booked) open(booked)
    else make(row, minute)
  }

  function open(booked: Booked) {
    if (booked.isSaving) say(IS_SAVING)
    else onOpen(booked)
  }

  function make(row: Row, minute: number) {
    if (!mayMake) return say(CANNOT_MAKE)
    const made = toNewProposal(row, minute)
    const obstacle = findObstacle(made, now)
    if (obstacle === undefined) onMake(made)
    else say(toSpokenProposal(made, now))
  }

  function activateFirst() {
    const first = rows[0]?.row
    if (active || !first) return
    const minute = toFirstMinute(first, now)
    setActive({ key: first.key, minute: findBookedAt(first, minute)?.start ?? minute })
  }

  const obstacle = proposal && findObstacle(proposal, now)
  const quote = useQuote(proposal, obstacle === undefined)
  const quoteText = quote?.text
  // Announces the server's quote after the step, once the response is there.
  useEffect(() => {
    if (quoteText !== undefined && !pointer.isPressed()) say((text) => `${text} ${quoteText}.`)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each response
  }, [quoteText])

  const toTop = (key: string | undefined) => items.find((item) => item.key === key)?.top ?? 0
  return (
    <>
      <div
        ref={places.setScroller}
        className={styles.grid}
        style={{
          '--quarter': `${places.quarter}px`,
          '--name': `${NAME_WIDTH}px`,
          '--row': `${ROW_HEIGHT}px`,
          '--head': `${HEAD_HEIGHT}px`,
        }}
        data-busy={busy || undefined}
        data-drag={pointer.isDragging() ? proposal?.kind : undefined}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-describedby="schedule-keys"
        aria-rowcount={items.length + 1}
        aria-colcount={QUARTERS + 1}
        aria-busy={busy}
        aria-activedescendant={active && activeRow ? toCellId(activeRow, active.minute) : undefined}
        onFocus={activateFirst}
        onBlur={() => proposal && !pointer.isPressed() && propose(undefined)}
        onKeyDown={(event) => {
          if (!pointer.isDragging()) return onKeyDown(event)
          if (event.key !== 'Escape') return
          pointer.cancel()
          say(proposal?.kind === 'make' ? 'Nothing made.' : 'Put back.')
        }}
        {...pointer.handlers}
      >
        <GridBody {...{ items, places, opensAt, now, active, changed, onPod }} held={proposal?.booked?.key}>
          {todays.length > 0 && now.minute > DAY_START && (
            <NowLine
              left={NAME_WIDTH + places.toX(now.minute)}
              top={todays.length === rows.length ? undefined : todays[0]?.top}
            />
          )}
          {proposal && (
            <ProposalPreview
              proposal={proposal}
              quarter={places.quarter}
              obstacle={obstacle ?? (quote?.isRefused ? quote.text : undefined)}
              hours={findHoursNote(proposal)}
              price={quote?.isRefused ? undefined : quoteText}
              top={toTop(proposal.row.key)}
            />
          )}
        </GridBody>
      </div>
      <VisuallyHidden>
        <span id="schedule-keys">
          Arrows walk by quarter of an hour and pod. Enter opens a booking. {mayMake && 'N makes one. '}
          {may.mayMove &&
            'M moves one: arrows, then Enter drops it, Escape puts it back. Shift with left or right changes its end, with up or down its start. '}
          W shows the week of a pod.
        </span>
        <span aria-live="assertive" data-testid="schedule-spoken">
          {spoken}
        </span>
      </VisuallyHidden>
    </>
  )
}

/** The line of the current time through all rows or, in a week, through today's row. */
function NowLine({ left, top }: { left: number; top: number | undefined }) {
  const place = top === undefined ? { top: 0, bottom: 0 } : { top, height: ROW_HEIGHT }
  return <div className={styles.now} style={{ left, ...place }} aria-hidden />
}
