import { useQuery } from '@tanstack/react-query'
import type { Today } from '#contract/dashboard.ts'
import { PAGE, type PageCode } from '#contract/pages.ts'
import { SLOT_MINUTES, toMinutes } from '#contract/slots.ts'
import { apiQuery, REFRESH_MS } from '#web/api/query.ts'
import { useSession } from '#web/api/session.ts'
import { Unloaded } from '#web/components/unloaded.tsx'
import { getBusinessDay } from '#web/lib/business-day.ts'
import { toCountText, toDateText, toWallTime } from '#web/lib/format.ts'
import { Link } from '#web/lib/link.tsx'
import { pathOf, schedulePath } from '#web/paths.ts'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { Occupancy } from './occupancy.tsx'
import styles from './today.module.css'

type Figure = {
  label: string
  page: PageCode
  read: (today: Today) => number | null | undefined
  /** Returns the path of the figure's rows; `minute` is the current minute of the day. */
  toPath: (date: string, minute: number) => string
  /** Highlights the figure when it is not 0. */
  isAlarming?: boolean
}

const figures: readonly Figure[] = [
  {
    label: 'In use now',
    page: PAGE.bookings,
    read: ({ bookings }) => bookings?.running,
    toPath: () => pathOf(PAGE.bookings, { when: 'running' }),
  },
  {
    label: 'Arriving within the hour',
    page: PAGE.bookings,
    read: ({ bookings }) => bookings?.arriving,
    toPath: () => pathOf(PAGE.bookings, { when: 'arriving', sort: 'startTime' }),
  },
  {
    label: 'Late, not checked in',
    page: PAGE.bookings,
    read: ({ bookings }) => bookings?.late,
    toPath: () => pathOf(PAGE.bookings, { when: 'late', sort: 'startTime' }),
    isAlarming: true,
  },
  {
    label: 'Free now',
    page: PAGE.bookings,
    read: ({ freePods }) => freePods,
    toPath: (date, minute) => schedulePath(date, { from: minute - (minute % SLOT_MINUTES), minutes: SLOT_MINUTES }),
  },
  {
    label: 'Closed now',
    page: PAGE.pods,
    read: ({ closedPods }) => closedPods,
    toPath: () => pathOf(PAGE.pods, { closed: 'now' }),
  },
  {
    label: 'Payments failed today',
    page: PAGE.transactions,
    read: ({ failedPayments }) => failedPayments,
    toPath: (date) => pathOf(PAGE.transactions, { status: 'failed', from: date, to: date }),
    isAlarming: true,
  },
]

/** What is going on now, above the panels. Each figure links to its rows (rules §31.3). */
export function TodayPanel() {
  const pages = useSession()?.pages ?? []
  const held = figures.filter(({ page }) => pages.includes(page))
  const query = useQuery({
    ...apiQuery('dashboard', 'today'),
    enabled: held.length > 0,
    refetchInterval: REFRESH_MS,
  })
  const today = query.data?.data
  if (held.length === 0) return null
  const date = today?.now.slice(0, 10) ?? getBusinessDay()
  const minute = today ? toMinutes(today.now.slice(11, 16)) : 0
  return (
    <section className={styles.today} aria-label="Today">
      <header className={styles.head}>
        <h2 className={styles.title}>Today</h2>
        <span className={styles.now}>
          {toDateText(date)}
          {today && `, ${toWallTime(today.now)}`}
        </span>
      </header>
      <Unloaded query={query} framed title="Today could not be loaded" />
      {(today || !query.error) && (
        <>
          <ul className={styles.figures}>
            {held.map(({ label, read, toPath, isAlarming }) => {
              const value = today && read(today)
              return (
                <li key={label}>
                  <Link
                    href={toPath(date, minute)}
                    className={styles.figure}
                    data-alarming={(isAlarming && value) || undefined}
                  >
                    <span className={styles.value}>
                      {typeof value === 'number' ? toCountText(value) : <Skeleton width={48} height={28} />}
                    </span>
                    <span className={styles.label}>{label}</span>
                  </Link>
                </li>
              )
            })}
          </ul>
          {pages.includes(PAGE.bookings) && <Occupancy occupancy={today?.occupancy ?? undefined} now={today?.now} />}
        </>
      )}
    </section>
  )
}
