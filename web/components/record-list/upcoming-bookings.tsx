import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PAGE } from '#contract/pages.ts'
import { api } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import { Link } from '#web/lib/link.tsx'
import { pathOf } from '#web/paths.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toProblem } from '#web/ui/problem.ts'
import styles from './upcoming-bookings.module.css'

/** The domains whose records have bookings, with the filter of the bookings list for each. */
const filters = { pods: 'pod', locations: 'location', users: 'user', staff: 'user', companies: 'company' } as const

export type BookingOwners = keyof typeof filters

export function haveBookings(domain: string): domain is BookingOwners {
  return domain in filters
}

/** Returns '3 bookings are still to come.' */
export function toUpcomingText(count: number): string {
  if (count === 0) return 'No bookings are still to come.'
  return count === 1 ? '1 booking is still to come.' : `${count.toLocaleString('en')} bookings are still to come.`
}

/** Returns a function for the path to a record's bookings to come; undefined if the person lacks their page. */
export function useUpcomingPath(): (owners: BookingOwners, id: string) => string | undefined {
  const mayOpen = useSession()?.pages.includes(PAGE.bookings) ?? false
  return (owners, id) =>
    mayOpen ? pathOf(PAGE.bookings, { [filters[owners]]: id, when: 'upcoming', sort: 'startTime' }) : undefined
}

/** Says before a deletion, or before blocking, how many bookings it leaves behind. The question does not wait for it. */
export function UpcomingBookings({ owners, id }: { owners: BookingOwners; id: string }) {
  const toPath = useUpcomingPath()
  const count = useQuery({
    // Not under the owner's domain, whose queries are reloaded after the deletion, when there is nothing to count.
    queryKey: ['upcoming-bookings', owners, id],
    queryFn: ({ signal }) => api(owners, 'upcomingBookings', { params: { id }, signal }),
    // Counted each time, because others book meanwhile: a cached number could be outdated.
    gcTime: 0,
  })
  const path = toPath(owners, id)
  const upcoming = count.data?.data.upcomingBookings
  return (
    <span aria-live="polite">
      {count.isFetching ? (
        'Counting the bookings that are still to come…'
      ) : upcoming === undefined ? (
        <Uncounted query={count}>The bookings that are still to come could not be counted.</Uncounted>
      ) : (
        <>
          {toUpcomingText(upcoming)}{' '}
          {path && upcoming > 0 && (
            <Link href={path} className={styles.link}>
              Show {upcoming === 1 ? 'it' : 'them'}
            </Link>
          )}
        </>
      )}
    </span>
  )
}

type UncountedProps = { query: Pick<UseQueryResult, 'error' | 'refetch'>; children: ReactNode }

/** Says in the question before a deletion what could not be counted, with a button to try again where that can help. */
export function Uncounted({ query: { error, refetch }, children }: UncountedProps) {
  return (
    <>
      {children}{' '}
      {!toProblem(error).isRefusal && (
        <Button size="small" className={styles.retry} onClick={() => void refetch()}>
          Retry
        </Button>
      )}
    </>
  )
}
