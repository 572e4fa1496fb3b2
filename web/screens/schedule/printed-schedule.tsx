import { toDateText } from '#web/lib/format.ts'
import styles from './printed-schedule.module.css'
import type { Now } from './proposal.ts'
import { DAY_END, DAY_START, type Row, type RowGroup } from './rows.ts'
import { toSpanText, toTimeText } from './schedule-texts.ts'

type PrintedScheduleProps = { days: string; groups: readonly RowGroup[]; now: Now }

/** The schedule on paper: the whole day of every pod, of which the screen only renders what is in sight. */
export function PrintedSchedule({ days, groups, now }: PrintedScheduleProps) {
  return (
    <div className={styles.printed}>
      <p className={styles.days}>
        <strong>{days}</strong>, printed on {toDateText(now.date)}, {toTimeText(now.minute)}
      </p>
      {groups.map((group) => (
        <table key={group.key} className={styles.table}>
          <caption>
            {group.name}, {group.city}
          </caption>
          {group.rows.map((row) => (
            <PodLines key={row.key} row={row} />
          ))}
        </table>
      ))}
    </div>
  )
}

function PodLines({ row }: { row: Row }) {
  const lines = [
    ...(row.unavailable === undefined ? [] : [{ key: 'unavailable', time: '', what: row.unavailable, state: '' }]),
    ...row.closures.map(({ key, start, end, reason }) => ({
      key,
      time: toSpanText({ start: Math.max(start, DAY_START), end: Math.min(end, DAY_END) }),
      what: `Closed: ${reason}`,
      state: '',
    })),
    ...row.bookings.map((booked) => ({
      key: booked.key,
      time: toSpanText(booked),
      what: booked.who,
      state: booked.isCheckedIn ? 'Checked in' : booked.status,
    })),
  ]
  if (lines.length === 0) lines.push({ key: 'none', time: '', what: 'No bookings', state: '' })
  return (
    <tbody>
      {lines.map(({ key, time, what, state }, index) => (
        <tr key={key}>
          {index === 0 && (
            <th scope="rowgroup" rowSpan={lines.length}>
              {row.name}
              {row.detail !== '' && <span className={styles.detail}>{row.detail}</span>}
            </th>
          )}
          <td className={styles.time}>{time}</td>
          <td>{what}</td>
          <td className={styles.state}>{state}</td>
        </tr>
      ))}
    </tbody>
  )
}
