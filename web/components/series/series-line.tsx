import { useQuery } from '@tanstack/react-query'
import type { Series } from '#contract/series.ts'
import { apiQuery } from '#web/api/query.ts'
import { toBookingTone } from '#web/components/status-tones.ts'
import { toDateText, toWallTimeRange } from '#web/lib/format.ts'
import { Link } from '#web/lib/link.tsx'
import { bookingPath } from '#web/paths.ts'
import { SkeletonLines } from '#web/ui/skeleton/skeleton.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { Unloaded } from '../unloaded.tsx'
import { toRuleText } from './rule-words.ts'
import styles from './series-line.module.css'

/** '3 of 12, every Tuesday', which unfolds to all bookings, with the pod where it is another (rules §29.9). */
export function SeriesLine({ seriesId, bookingId }: { seriesId: string; bookingId: string }) {
  const query = useQuery(apiQuery('series', 'get', { params: { id: seriesId } }))
  const series = query.data?.data
  if (!series) {
    return (
      <Unloaded query={query}>
        <SkeletonLines count={1} />
      </Unloaded>
    )
  }
  const { bookings, rule } = series
  const index = bookings.findIndex(({ _id }) => _id === bookingId)
  const [first] = bookings
  const toWords = ({ bookingDate, podId, podTitle, locationName, ...times }: Series['bookings'][number]) => {
    const when = `${toDateText(bookingDate)}, ${toWallTimeRange(times)}`
    return podId === bookings[index]?.podId ? when : `${when}, ${podTitle}, ${locationName}`
  }
  return (
    <details>
      <summary>
        {index + 1} of {bookings.length}
        {first && `, ${toRuleText(rule, first.bookingDate)}`}
      </summary>
      <ol className={styles.bookings} aria-label="Bookings of the series">
        {bookings.map((booking) => (
          <li key={booking._id} aria-current={booking._id === bookingId || undefined}>
            {booking._id === bookingId ? (
              <strong>{toWords(booking)}</strong>
            ) : (
              <Link href={bookingPath(booking._id)}>{toWords(booking)}</Link>
            )}
            <StatusChip tone={toBookingTone(booking.status)}>{booking.status}</StatusChip>
          </li>
        ))}
      </ol>
    </details>
  )
}
