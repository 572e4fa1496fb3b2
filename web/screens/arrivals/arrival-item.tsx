import type { MouseEvent } from 'react'
import type { Arrival } from '#contract/booking-actions.ts'
import { CustomerLink } from '#web/components/customer-link.tsx'
import { toMomentText } from '#web/lib/business-day.ts'
import { toPhoneLink, toWallTimeRange } from '#web/lib/format.ts'
import { Button } from '#web/ui/button/button.tsx'
import { IconCircleCheck, IconClock, IconUserX } from '#web/ui/icons/icons.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden/visually-hidden.tsx'
import styles from './arrivals.module.css'

type ArrivalItemProps = {
  arrival: Arrival
  showsLocation: boolean
  /** The actions being sent, each with its booking's id: `noShow ${id}` or `end ${id}`. */
  pending: readonly string[]
  onOpen: () => void
  onCheckIn: () => void
  onNoShow: () => void
  onEnd: () => void
}

const DOUBLE_CLICK_MS = 350
/** The largest distance between the two taps of a double tap. */
const DOUBLE_CLICK_PX = 40
let last = { timeStamp: Number.NEGATIVE_INFINITY, clientX: 0, clientY: 0 }

/**
 * The second click of a double one would act on the next person, as the list moves up at once. iPhones count each tap as
 * the first, and the keyboard counts none.
 */
const onFirstClick =
  (act: () => void) =>
  ({ detail, timeStamp, clientX, clientY }: MouseEvent) => {
    const isNear = Math.hypot(clientX - last.clientX, clientY - last.clientY) < DOUBLE_CLICK_PX
    const isSecond = detail > 0 && (detail > 1 || (isNear && timeStamp - last.timeStamp < DOUBLE_CLICK_MS))
    last = { timeStamp, clientX, clientY }
    if (!isSecond) act()
  }

export function ArrivalItem({ arrival, showsLocation, pending, onOpen, onCheckIn, onNoShow, onEnd }: ArrivalItemProps) {
  const { _id, name, customerId, phone, podTitle, locationName, group, checkedInAt, noShowAt, endedAt, note, actions } =
    arrival
  const can = (action: Arrival['actions'][number]) => actions.includes(action)
  const of = `${name}, ${podTitle}`
  return (
    <li className={styles.item}>
      <div className={styles.who}>
        <span className={styles.name}>
          <CustomerLink id={customerId}>{name}</CustomerLink>
        </span>
        <button type="button" className={styles.booking} onClick={onOpen}>
          <VisuallyHidden>Booking of {name}, </VisuallyHidden>
          <span className={styles.facts}>
            {toWallTimeRange(arrival)} · {podTitle}
            {showsLocation && `, ${locationName}`}
          </span>
          {note !== '' && <span className={styles.note}>{note}</span>}
        </button>
      </div>
      {phone !== '' && (
        <a className={styles.phone} href={toPhoneLink(phone)} aria-label={`Call ${name}, ${phone}`}>
          {phone}
        </a>
      )}
      <div className={styles.state}>
        {noShowAt !== null && <StatusChip tone="orange">No-show</StatusChip>}
        {endedAt !== null && <StatusChip tone="grey">Ended {toMomentText(endedAt)}</StatusChip>}
        {checkedInAt !== null && endedAt === null && (
          <StatusChip tone="green">In since {toMomentText(checkedInAt).replace('today, ', '')}</StatusChip>
        )}
        {group === 'in' && checkedInAt === null && <StatusChip tone="grey">Checking in…</StatusChip>}
        {can('no-show') && (
          <Button
            icon={<IconUserX size={16} />}
            aria-label={`No-show: ${of}`}
            loading={pending.includes(`noShow ${_id}`)}
            onClick={onFirstClick(onNoShow)}
          >
            No-show
          </Button>
        )}
        {can('end') && checkedInAt !== null && (
          <Button
            icon={<IconClock size={16} />}
            aria-label={`End now: ${of}`}
            loading={pending.includes(`end ${_id}`)}
            onClick={onFirstClick(onEnd)}
          >
            End now
          </Button>
        )}
        {can('check-in') && (
          <Button icon={<IconCircleCheck size={16} />} aria-label={`Check in ${of}`} onClick={onFirstClick(onCheckIn)}>
            Check in
          </Button>
        )}
      </div>
    </li>
  )
}
