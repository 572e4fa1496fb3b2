import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { toBookingTone } from '#web/components/status-tones.ts'
import { IconAction } from '#web/ui/button/button.tsx'
import { IconChevronRight, IconCircleCheck, IconPencil, IconPlus } from '#web/ui/icons/icons.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden/visually-hidden.tsx'
import styles from './agenda.module.css'
import { findHoursNote, findObstacle, type Now, type Proposal, toNewProposal, toQuarter } from './proposal.ts'
import { type Booked, DAY_END, DAY_START, type Row, type RowGroup, type Span, withBuffer } from './rows.ts'
import { toSpanText, toTimeText } from './schedule-texts.ts'

type AgendaProps = {
  groups: readonly RowGroup[]
  now: Now
  isWeek: boolean
  busy: boolean
  mayMake: boolean
  /** The time of the filter ‘free at’, at which pods are then offered. */
  wanted: Span | undefined
  onOpen: (booked: Booked) => void
  onMake: (proposal: Proposal) => void
  onPod: ((podId: string) => void) | undefined
}

type Entry = { key: string } & ({ group: RowGroup } | { row: Row })

/** The schedule on a phone: pods by location, each with a list of its bookings. */
export function Agenda({ groups, isWeek, busy, ...shared }: AgendaProps) {
  const list = useRef<HTMLDivElement>(null)
  const [margin, setMargin] = useState(0)
  const entries = useMemo(
    () =>
      groups.flatMap((group): Entry[] => [
        ...(isWeek ? [] : [{ key: group.key, group }]),
        ...group.rows.map((row) => ({ key: row.key, row })),
      ]),
    [groups, isWeek],
  )
  useLayoutEffect(() => setMargin(list.current?.offsetTop ?? 0), [])
  // oxlint-disable-next-line react/incompatible-library -- the portal is built without the compiler
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    estimateSize: (index) => {
      const entry = entries[index]
      return entry && 'row' in entry ? 60 + 56 * entry.row.bookings.length : 40
    },
    getItemKey: (index) => entries[index]?.key ?? index,
    scrollMargin: margin,
    overscan: 4,
    useFlushSync: false,
  })
  return (
    <div
      ref={list}
      className={styles.agenda}
      style={{ height: virtualizer.getTotalSize() }}
      data-busy={busy || undefined}
    >
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const entry = entries[index]
        if (!entry) return null
        return (
          <div
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className={styles.entry}
            style={{ top: start - margin }}
          >
            {'group' in entry ? (
              <h3 className={styles.location}>
                {entry.group.name} <span>{entry.group.city}</span>
              </h3>
            ) : (
              <PodDay row={entry.row} heading={isWeek ? 'h3' : 'h4'} {...shared} />
            )}
          </div>
        )
      })}
    </div>
  )
}

type PodDayProps = Omit<AgendaProps, 'groups' | 'isWeek' | 'busy'> & { row: Row; heading: 'h3' | 'h4' }

function PodDay({ row, heading: Heading, now, mayMake, wanted, onOpen, onMake, onPod }: PodDayProps) {
  const proposal = useMemo(() => findNextFree(row, now, wanted), [row, now, wanted])
  return (
    <section className={styles.pod} aria-label={row.name}>
      <header className={styles.podHead}>
        <div className={styles.podWords}>
          <Heading className={styles.podName}>
            {onPod ? (
              <button type="button" aria-label={`Week of ${row.name}`} onClick={() => onPod(row.podId)}>
                {row.name} <IconChevronRight size={14} />
              </button>
            ) : (
              row.name
            )}
          </Heading>
          <p className={styles.free}>{row.unavailable ?? toFreeText(proposal)}</p>
        </div>
        {mayMake && proposal && (
          <IconAction label={`Book ${row.name}`} icon={<IconPlus />} onClick={() => onMake(proposal)} />
        )}
      </header>
      {row.closures.map((closure) => (
        <p key={closure.key} className={styles.closure}>
          Closed {toSpanText({ start: Math.max(closure.start, DAY_START), end: Math.min(closure.end, DAY_END) })}:{' '}
          {closure.reason}
        </p>
      ))}
      {row.bookings.length > 0 && (
        <ul>
          {row.bookings.map((booked) => (
            <li key={booked.key}>
              <button type="button" className={styles.booking} onClick={() => onOpen(booked)}>
                <span className={styles.time}>
                  {toTimeText(booked.start)}
                  <VisuallyHidden> to </VisuallyHidden>
                  <br />
                  {toTimeText(booked.end)}
                </span>
                <span className={styles.who}>
                  {booked.who}
                  {booked.isCheckedIn && (
                    <span className={styles.mark}>
                      <IconCircleCheck size={14} /> Checked in
                    </span>
                  )}
                  {booked.hasNote && (
                    <span className={styles.mark}>
                      <IconPencil size={14} /> Note
                    </span>
                  )}
                </span>
                <StatusChip tone={toBookingTone(booked.status)}>{booked.status}</StatusChip>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function toFreeText(proposal: Proposal | undefined): string {
  return proposal ? `Free from ${toTimeText(proposal.start)}` : 'Nothing free any more'
}

/** Returns a booking at the wanted time, or else at the pod's next free time from now on, within its opening hours. */
function findNextFree(row: Row, now: Now, wanted: Span | undefined): Proposal | undefined {
  const atWanted: Proposal | undefined = wanted && { kind: 'make', row, ...wanted }
  if (atWanted && isPossible(atWanted, now)) return atWanted
  const from = row.date === now.date ? toQuarter(now.minute) : DAY_START
  const starts = [
    from,
    ...row.bookings.map((one) => withBuffer(one).end),
    ...row.closures.map(({ end }) => end),
    ...row.open.map(({ start }) => start),
  ]
  return starts
    .filter((start) => start >= from && start >= DAY_START && start < DAY_END)
    .sort((a, b) => a - b)
    .map((start) => toNewProposal(row, start))
    .find((proposal) => isPossible(proposal, now))
}

function isPossible(proposal: Proposal, now: Now): boolean {
  return findObstacle(proposal, now) === undefined && findHoursNote(proposal) === undefined
}
