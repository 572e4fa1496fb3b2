import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { BookingPage } from '#contract/booking-actions.ts'
import { PAGE } from '#contract/pages.ts'
import { ApiError } from '#web/api/api-error.ts'
import { submit } from '#web/api/check-body.ts'
import { apiQuery, REFRESH_MS } from '#web/api/query.ts'
import { useSession } from '#web/api/session.ts'
import { toActorName, toChangeText } from '#web/components/history/change-words.ts'
import { HistoryDialog } from '#web/components/history/history-dialog.tsx'
import { NoteDialog } from '#web/components/note-dialog.tsx'
import { SeriesLine } from '#web/components/series/series-line.tsx'
import { toBookingTone } from '#web/components/status-tones.ts'
import { Unloaded } from '#web/components/unloaded.tsx'
import { toMomentText } from '#web/lib/business-day.ts'
import { toDateText, toWallTimeRange, toZoneName } from '#web/lib/format.ts'
import { Link } from '#web/lib/link.tsx'
import { pageOf, pathOf } from '#web/paths.ts'
import { Button } from '#web/ui/button/button.tsx'
import { IconPencil } from '#web/ui/icons/icons.tsx'
import { Skeleton, SkeletonLines } from '#web/ui/skeleton/skeleton.tsx'
import { EmptyRegion, EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { useHasUnsaved } from '#web/ui/unsaved.ts'
import { BookingActions } from './booking-actions.tsx'
import { Code, Price, Where, Who } from './booking-facts.tsx'
import { BookingMessages, SendAgain } from './booking-messages.tsx'
import styles from './booking.module.css'
import { useMayChange, useShowBooking } from './use-booking-action.ts'

/** Everything about one booking, and what can be done with it (rules §27.9). */
export function BookingView({ bookingId }: { bookingId: string }) {
  const query = useQuery({
    ...apiQuery('bookingActions', 'get', { params: { id: bookingId } }),
    // What can be done, and what a cancellation gives back, depends on the time.
    refetchInterval: REFRESH_MS,
  })
  const isTyping = useHasUnsaved()
  const list = useSession()?.pages.includes(PAGE.bookings) ? PAGE.bookings : PAGE.corporateBooking
  const { error } = query
  const booking = query.data?.data
  // Also for a booking that was shown until a colleague moved it to a location that the person does not have, unless
  // what they have typed would be lost.
  const isDenied = error instanceof ApiError && [403, 404].includes(error.status)
  const isGone = isDenied && !(booking && isTyping)
  return (
    <>
      <EmptyRegion>
        {isGone && (
          <EmptyState>
            {error.status === 404 ? 'There is no such booking.' : error.message}{' '}
            <Link href={pathOf(list)}>Go to {pageOf(list).name}</Link>
          </EmptyState>
        )}
      </EmptyRegion>
      {!isGone && (
        <Unloaded query={query} title="The booking could not be loaded">
          {!booking && <BookingSkeleton />}
        </Unloaded>
      )}
      {!isGone && booking && <BookingDetails booking={booking} />}
    </>
  )
}

function BookingDetails({ booking }: { booking: BookingPage }) {
  const [dialog, setDialog] = useState<'note' | 'history'>()
  const show = useShowBooking()
  const mayChange = useMayChange(booking)
  const close = () => setDialog(undefined)
  return (
    <div className={styles.view}>
      <header className={styles.head}>
        <div>
          <h2 className={styles.title}>{booking.podTitle}</h2>
          <p>
            {toDateText(booking.bookingDate)}, {toWallTimeRange(booking)}
            <span className={styles.zone}> {toZoneName(booking.timeZone)}</span>
          </p>
        </div>
        <StateChips booking={booking} />
      </header>
      <BookingActions booking={booking} />

      {booking.seriesId !== null && (
        <Section title="Series">
          <SeriesLine seriesId={booking.seriesId} bookingId={booking._id} />
        </Section>
      )}
      <div className={styles.columns}>
        <div className={styles.column}>
          <Section title="Who">
            <Who booking={booking} />
          </Section>
          <Section title="Where">
            <Where booking={booking} />
          </Section>
          <Section title="Price">
            <Price booking={booking} />
          </Section>
        </div>
        <div className={styles.column}>
          <Section
            title="Note"
            action={
              mayChange && (
                <Button size="small" icon={<IconPencil size={14} />} onClick={() => setDialog('note')}>
                  {booking.note ? 'Edit note' : 'Add note'}
                </Button>
              )
            }
          >
            <p className={styles.note} data-empty={!booking.note || undefined}>
              {booking.note || 'There is no note.'}
            </p>
          </Section>
          <Section title="Code">
            <Code booking={booking} />
          </Section>
          <Section title="Mails" action={mayChange && <SendAgain booking={booking} />}>
            <BookingMessages booking={booking} />
          </Section>
          <Section
            title="History"
            action={
              <Button size="small" onClick={() => setDialog('history')}>
                Show all
              </Button>
            }
          >
            <LatestChanges booking={booking} />
          </Section>
        </div>
      </div>
      {dialog === 'note' && (
        <NoteDialog
          entity="booking"
          record={booking}
          save={async (note, version) => {
            const body = { note, version }
            const response = await submit('bookingActions', 'note', { params: { id: booking._id }, body })
            await show(response)
            return response
          }}
          onClose={close}
        />
      )}
      {dialog === 'history' && (
        <HistoryDialog
          of={{ entity: 'booking', id: booking._id, name: `${booking.podTitle} on ${booking.bookingDate}` }}
          onClose={close}
        />
      )}
    </div>
  )
}

/** The number of lines in each section, by column. */
const SKELETON_LINES = [
  [5, 3, 2],
  [1, 4, 3],
]

/** Placeholder in the shape of a booking while it loads. */
function BookingSkeleton() {
  return (
    <div className={styles.view} aria-hidden>
      <div className={styles.waiting}>
        <Skeleton width="45%" height={20} />
        <Skeleton width="65%" />
      </div>
      <div className={styles.actions}>
        {['6.75rem', '5.5rem', '9.5rem'].map((width) => (
          <Skeleton key={width} width={width} height="var(--control-height)" />
        ))}
      </div>
      <div className={styles.columns}>
        {SKELETON_LINES.map((column) => (
          <div key={column.join()} className={styles.column}>
            {column.map((count) => (
              <div key={count} className={styles.section}>
                <SkeletonLines count={count} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.sectionHead}>
        <h3 className={styles.sectionTitle}>{title}</h3>
        {action}
      </div>
      {children}
    </section>
  )
}

function StateChips({ booking }: { booking: BookingPage }) {
  const { status, checkedInAt, noShowAt, endedAt } = booking
  return (
    <p className={styles.chips} aria-live="polite">
      <StatusChip tone={toBookingTone(status)}>{status}</StatusChip>
      {checkedInAt !== null && <StatusChip tone="green">Checked in {toMomentText(checkedInAt)}</StatusChip>}
      {noShowAt !== null && <StatusChip tone="orange">No-show</StatusChip>}
      {endedAt !== null && <StatusChip tone="grey">Ended {toMomentText(endedAt)}</StatusChip>}
    </p>
  )
}

const LATEST = 4

function LatestChanges({ booking }: { booking: BookingPage }) {
  const query = useQuery(
    apiQuery('audit', 'history', { query: { entity: 'booking', id: booking._id, page: 1, limit: LATEST } }),
  )
  const changes = query.data?.data
  if (!changes) {
    return (
      <Unloaded query={query}>
        <SkeletonLines count={2} />
      </Unloaded>
    )
  }
  if (changes.length === 0) return <p className={styles.words}>No changes are recorded.</p>
  return (
    <ol className={styles.changes}>
      {changes.map((change) => (
        <li key={change._id}>
          <strong>{toActorName(change.actor)}</strong> {toChangeText(change)}
          <time dateTime={change.at}>{toMomentText(change.at)}</time>
        </li>
      ))}
    </ol>
  )
}
