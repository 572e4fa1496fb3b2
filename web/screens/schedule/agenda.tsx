import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { toBookingTone } from '#web/components/status-tones.ts'
import { IconAction } from '#web/ui/button/button.tsx'
import { IconCircleCheck, IconPencil, IconPlus } from '#web/ui/icons/icons.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import styles from './agenda.module.css'
import { type Draft, findObstacle, type Now, toNewDraft, toQuarter, toSpanText, toTimeText } from './draft.ts'
import { type Booked, DAY_END, DAY_START, type Lane, type LaneGroup, withBuffer } from './lanes.ts'

type AgendaProps = {
  groups: readonly LaneGroup[]
  now: Now
  isWeek: boolean
  busy: boolean
  mayMake: boolean
  onOpen: (booked: Booked) => void
  onMake: (draft: Draft) => void
}

type Entry = { key: string } & ({ group: LaneGroup } | { lane: Lane })

/** The day on a phone: by location, each pod with its bookings one under the other. */
export function Agenda({ groups, now, isWeek, busy, mayMake, onOpen, onMake }: AgendaProps) {
  const list = useRef<HTMLDivElement>(null)
  const [margin, setMargin] = useState(0)
  const entries = useMemo(
    () =>
      groups.flatMap((group): Entry[] => [
        ...(isWeek ? [] : [{ key: group.key, group }]),
        ...group.lanes.map((lane) => ({ key: lane.key, lane })),
      ]),
    [groups, isWeek],
  )
  useLayoutEffect(() => setMargin(list.current?.offsetTop ?? 0), [])
  // oxlint-disable-next-line react/incompatible-library -- the portal is built without the compiler
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    estimateSize: (index) => {
      const entry = entries[index]
      return entry && 'lane' in entry ? 60 + 56 * entry.lane.bookings.length : 40
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
              <PodDay lane={entry.lane} now={now} mayMake={mayMake} onOpen={onOpen} onMake={onMake} />
            )}
          </div>
        )
      })}
    </div>
  )
}

type PodDayProps = Pick<AgendaProps, 'now' | 'mayMake' | 'onOpen' | 'onMake'> & { lane: Lane }

function PodDay({ lane, now, mayMake, onOpen, onMake }: PodDayProps) {
  const draft = useMemo(() => findNextFree(lane, now), [lane, now])
  return (
    <section className={styles.pod} aria-label={lane.name}>
      <header className={styles.podHead}>
        <div className={styles.podWords}>
          <h4 className={styles.podName}>{lane.name}</h4>
          <p className={styles.free}>{lane.unavailable ?? toFreeText(draft)}</p>
        </div>
        {mayMake && draft && (
          <IconAction label={`Book ${lane.name}`} icon={<IconPlus />} onClick={() => onMake(draft)} />
        )}
      </header>
      {lane.closures.map((closure) => (
        <p key={closure.start} className={styles.closure}>
          Closed {toSpanText({ start: Math.max(closure.start, DAY_START), end: Math.min(closure.end, DAY_END) })}:{' '}
          {closure.reason}
        </p>
      ))}
      {lane.bookings.length > 0 && (
        <ul className={styles.bookings}>
          {lane.bookings.map((booked) => (
            <li key={booked.key}>
              <button
                type="button"
                className={styles.booking}
                data-tone={toBookingTone(booked.status)}
                onClick={() => onOpen(booked)}
              >
                <span className={styles.time}>
                  {toTimeText(booked.start)}
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

function toFreeText(draft: Draft | undefined): string {
  return draft ? `Free from ${toTimeText(draft.start)}` : 'Nothing free any more'
}

/** The first time from now on at which the pod can be booked. */
function findNextFree(lane: Lane, now: Now): Draft | undefined {
  const from = lane.date === now.date ? toQuarter(now.minute) : DAY_START
  const starts = [
    from,
    ...lane.bookings.map((one) => withBuffer(one).end),
    ...lane.closures.map(({ end }) => end),
    ...lane.open.map(({ start }) => start),
  ]
  return starts
    .filter((start) => start >= from && start >= DAY_START && start < DAY_END)
    .sort((a, b) => a - b)
    .map((start) => toNewDraft(lane, start))
    .find((draft) => findObstacle(draft, now) === undefined)
}
