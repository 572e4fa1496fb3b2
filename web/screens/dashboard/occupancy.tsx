import { useCallback, useMemo, useState } from 'react'
import type { Today } from '#contract/dashboard.ts'
import { OPENING_HOUR, toClockLabel, toMark } from '#contract/slots.ts'
import { toDateText } from '#web/lib/format.ts'
import { Link, useGoTo } from '#web/lib/link.tsx'
import { schedulePath } from '#web/paths.ts'
import { Button } from '#web/ui/button/button.tsx'
import { FailedPart, lazyPart } from '#web/ui/lazy-part/lazy-part.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import styles from './today.module.css'

const BarChart = lazyPart(
  async () => (await import('#web/ui/bar-chart/bar-chart.tsx')).BarChart,
  FailedPart,
  <Skeleton height={176} />,
)

type Occupied = NonNullable<Today['occupancy']>
type OccupancyProps = {
  /** Undefined while it loads. */
  occupancy: Occupied | undefined
  now: string | undefined
}

/** The occupancy per hour of today and the next seven days, as bars or as a table. */
export function Occupancy({ occupancy, now }: OccupancyProps) {
  return (
    <div className={styles.occupancy}>
      {occupancy && now !== undefined ? <OccupiedHours {...occupancy} now={now} /> : <Skeleton height={240} />}
    </div>
  )
}

function OccupiedHours({ days, podMinutes, now }: Occupied & { now: string }) {
  const [shown, setShown] = useState(0)
  const [isTable, setTable] = useState(false)
  const goTo = useGoTo()
  const day = days[shown] ?? days[0]
  const toShare = useCallback(
    (minutes: number) => (podMinutes === 0 ? 0 : Math.min(1, minutes / podMinutes)),
    [podMinutes],
  )
  const bars = useMemo(
    () =>
      (day?.minutes ?? []).map((minutes, index) => {
        const mark = toMark((OPENING_HOUR + index) * 60)
        return {
          label: index % 3 === 0 ? toHourLabel(mark) : '',
          share: toShare(minutes),
          title: `${toClockLabel(mark)}: ${toPercent(toShare(minutes))} booked`,
          isPast: day?.date === now.slice(0, 10) && mark.slice(0, 2) < now.slice(11, 13),
          onSelect: () => day && goTo(schedulePath(day.date)),
        }
      }),
    [day, toShare, now, goTo],
  )
  if (!day) return null
  return (
    <>
      <div className={styles.occupancyHead}>
        <h3 className={styles.subtitle}>Booked by the hour</h3>
        <Button size="small" onClick={() => setTable(!isTable)}>
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </div>
      {isTable ? (
        <OccupancyTable days={days} toShare={toShare} />
      ) : (
        <>
          <fieldset className={styles.days} aria-label="Day">
            {days.map(({ date, minutes }, index) => (
              <button
                key={date}
                type="button"
                className={styles.day}
                aria-pressed={index === shown}
                onClick={() => setShown(index)}
              >
                <span>{index === 0 ? 'Today' : toShortDay(date)}</span>
                <span className={styles.dayShare}>{toPercent(toShare(sum(minutes) / minutes.length))}</span>
              </button>
            ))}
          </fieldset>
          <BarChart label={`Share of pod time booked on ${toDateText(day.date)}, by the hour`} bars={bars} />
        </>
      )}
    </>
  )
}

/** '9 AM', as there is no room for minutes. */
function toHourLabel(mark: string): string {
  return toClockLabel(mark).replace(':00', '')
}

type OccupancyTableProps = Pick<Occupied, 'days'> & { toShare: (minutes: number) => number }

function OccupancyTable({ days, toShare }: OccupancyTableProps) {
  const hours = days[0]?.minutes.map((_, index) => OPENING_HOUR + index) ?? []
  return (
    <div className={styles.tableFrame}>
      <table className={styles.table}>
        <caption className={styles.caption}>Share of pod time booked</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {hours.map((hour) => (
              <th key={hour} scope="col">
                {toHourLabel(toMark(hour * 60))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ date, minutes }) => (
            <tr key={date}>
              <th scope="row">
                <Link href={schedulePath(date)}>{toShortDay(date)}</Link>
              </th>
              {minutes.map((booked, index) => (
                <td key={hours[index]}>{toPercent(toShare(booked))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

function toPercent(share: number): string {
  return `${Math.round(share * 100)} %`
}

const shortDay = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', timeZone: 'UTC' })

/** Formats a date as 'Tue 24'. */
function toShortDay(date: string): string {
  const parts = Object.fromEntries(
    shortDay.formatToParts(new Date(`${date}T00:00:00.000Z`)).map((part) => [part.type, part.value]),
  )
  return `${parts.weekday} ${parts.day}`
}
