import { type ComponentProps, type Dispatch, memo, type SetStateAction, useState } from 'react'
import type { AffectedBooking, ClosureBody } from '#contract/closures.ts'
import { toMoneyText } from '#contract/money.ts'
import { CustomerLink } from '#web/components/customer-link.tsx'
import { toFreePodText } from '#web/components/free-pod-words.ts'
import { MailLink } from '#web/components/mail-link.tsx'
import { MessageNotice } from '#web/components/message-notice.tsx'
import { Unloaded } from '#web/components/unloaded.tsx'
import { toCounted, toCountText, toPhoneLink, toWallTimeRange } from '#web/lib/format.ts'
import { Button } from '#web/ui/button/button.tsx'
import { IconDownload } from '#web/ui/icons/icons.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import styles from './affected-bookings.module.css'
import { chooseMoves, findWrongMoves } from './choose-moves.ts'

/** 'cancel', 'leave', or the id of the pod to move to; '' while undecided. */
export type Decision = string

/** Returns whether each booking has a decision that can be carried out. */
export function areDecided(bookings: readonly AffectedBooking[], decisions: ReadonlyMap<string, Decision>): boolean {
  return bookings.every(({ _id }) => decisions.get(_id)) && findWrongMoves(bookings, decisions).size === 0
}

type SentDecision = ClosureBody['decisions'][number]

export function toDecisions(
  bookings: readonly AffectedBooking[],
  decisions: ReadonlyMap<string, Decision>,
): SentDecision[] {
  return bookings.map(({ _id }): SentDecision => {
    const decision = decisions.get(_id) ?? ''
    if (decision === 'cancel' || decision === 'leave') return { bookingId: _id, action: decision }
    return { bookingId: _id, action: 'move', podId: decision }
  })
}

type AffectedBookingsProps = {
  /** Whether the form is complete enough to look up the affected bookings. */
  isAsked: boolean
  query: ComponentProps<typeof Unloaded>['query']
  bookings: readonly AffectedBooking[]
  decisions: ReadonlyMap<string, Decision>
  /** Whether saving was refused: bookings made since, which have no decision, are marked. */
  isRefused: boolean
  onDecide: Dispatch<SetStateAction<ReadonlyMap<string, Decision>>>
  onDownload: () => void
}

/** Lists the bookings that a closure affects, with contact details and a decision for each (rules §26.6). */
export function AffectedBookings(props: AffectedBookingsProps) {
  const { isAsked, query, bookings, decisions, isRefused, onDecide, onDownload } = props
  const wrong = findWrongMoves(bookings, decisions)
  const possible = new Map([...decisions].filter(([id]) => !wrong.has(id)))
  const undecided = bookings.filter(({ _id }) => !possible.get(_id))
  const [unmoved, setUnmoved] = useState<ReadonlySet<string>>(new Set())
  const stuck = undecided.filter(({ _id }) => unmoved.has(_id)).length

  function moveAll() {
    const moves = chooseMoves(bookings)
    setUnmoved(new Set(bookings.flatMap(({ _id }) => (moves.has(_id) ? [] : _id))))
    onDecide(new Map([...decisions, ...moves]))
  }

  const decideAll = (decision: Decision) => onDecide(new Map(bookings.map(({ _id }) => [_id, decision])))

  return (
    <section className={styles.section} aria-label="Affected bookings" aria-busy={query.isFetching}>
      <header className={styles.head}>
        <h3 className={styles.title} aria-live="polite">
          {toHeading(isAsked, query, bookings.length)}
        </h3>
        {bookings.length > 0 && (
          <>
            <output className={styles.left}>
              {undecided.length === 0
                ? 'All decided'
                : `${toCounted(undecided.length, 'decision', 'decisions')} to make`}
            </output>
            <Button size="small" icon={<IconDownload size={16} />} onClick={onDownload}>
              Download
            </Button>
          </>
        )}
      </header>
      <Unloaded query={query} title="The bookings could not be loaded" />
      {bookings.length > 0 && (
        <div className={styles.all}>
          <Button size="small" onClick={moveAll}>
            Move where possible
          </Button>
          <Button size="small" onClick={() => decideAll('cancel')}>
            Cancel all
          </Button>
          <Button size="small" onClick={() => decideAll('leave')}>
            Leave all
          </Button>
          <output>{stuck > 0 && toStuckText(stuck)}</output>
        </div>
      )}
      {bookings.length > 0 && <MessageNotice className={styles.left} />}
      <ul className={styles.list}>
        {bookings.map((booking) => (
          <AffectedItem
            key={booking._id}
            booking={booking}
            decision={possible.get(booking._id) ?? ''}
            error={wrong.get(booking._id) ?? (isRefused && !possible.has(booking._id) && 'Decide what happens to it.')}
            onDecide={onDecide}
          />
        ))}
      </ul>
    </section>
  )
}

type AffectedItemProps = Pick<AffectedBookingsProps, 'onDecide'> & {
  booking: AffectedBooking
  decision: Decision
  error: string | false
}

/** Not drawn again with each letter typed into the form: a closure may affect thousands. */
const AffectedItem = memo(function AffectedItem({ booking, decision, error, onDecide }: AffectedItemProps) {
  const bookedFor = booking.company || booking.username
  return (
    <li className={styles.booking}>
      <div className={styles.who}>
        <strong>
          <CustomerLink id={booking.customerId}>{bookedFor}</CustomerLink>
        </strong>
        {booking.company && <span>{booking.username}</span>}
        <span className={styles.contact}>
          {booking.phone && <a href={toPhoneLink(booking.phone)}>{booking.phone}</a>}
          {booking.email && <MailLink email={booking.email} />}
        </span>
      </div>
      <div className={styles.when}>
        <span>
          {booking.podTitle}, {booking.locationName}
        </span>
        <span>
          {booking.bookingDate}, {toWallTimeRange(booking)}
        </span>
        <span>{booking.paid > 0 ? `${toMoneyText(booking.paid)} paid` : 'Nothing paid'}</span>
      </div>
      <NativeSelect
        label={`What happens to the booking of ${bookedFor}, ${booking.bookingDate} ${toWallTimeRange(booking)}`}
        hideLabel
        value={decision}
        placeholder="Decide…"
        options={toOptions(booking)}
        hint={toTarget(booking, decision)}
        error={error}
        onChange={(chosen) => onDecide((others) => new Map(others).set(booking._id, chosen))}
      />
    </li>
  )
})

function toHeading(isAsked: boolean, { data, isFetching }: AffectedBookingsProps['query'], affected: number): string {
  if (!isAsked) return 'Choose what and when to see whom it affects'
  if (isFetching && affected === 0) return 'Looking for bookings…'
  if (data === undefined) return 'Affected bookings'
  return affected === 0 ? 'No bookings affected' : `${toCounted(affected, 'booking', 'bookings')} affected`
}

function toStuckText(bookings: number): string {
  return bookings === 1
    ? 'For 1 booking no pod as large is offered in its city. Choose what happens to it.'
    : `For ${toCountText(bookings)} bookings no pod as large is offered in their city. Choose for each.`
}

/** Names a pod that a booking can move to, with its city if that is another. */
function toPlace(pod: AffectedBooking['free'][number], booking: AffectedBooking): string {
  return toFreePodText(pod, pod.city === booking.city ? undefined : pod.city)
}

/** The place that a booking is to move to, which is longer than the field. */
function toTarget(booking: AffectedBooking, decision: Decision): string | undefined {
  const pod = booking.free.find(({ podId }) => podId === decision)
  return pod && toPlace(pod, booking)
}

function toOptions(booking: AffectedBooking) {
  const { free, paid } = booking
  return [
    ...free.map((pod) => ({ value: pod.podId, label: `Move to ${toPlace(pod, booking)}` })),
    { value: 'cancel', label: paid > 0 ? `Cancel, give back ${toMoneyText(paid)}` : 'Cancel' },
    { value: 'leave', label: 'Leave as it is' },
  ]
}
