import { useState } from 'react'
import type { BookingPage } from '#contract/booking-actions.ts'
import type { Obstacle } from '#contract/errors.ts'
import { toMoneyText } from '#contract/money.ts'
import { PAGE } from '#contract/pages.ts'
import { SLOT_MS, toMarks } from '#contract/slots.ts'
import { ApiError } from '#web/api/api-error.ts'
import { api } from '#web/api/client.ts'
import { useIsRetrying } from '#web/api/connection.ts'
import { useMay } from '#web/api/may.ts'
import { areHoursAlone } from '#web/components/override-reason.tsx'
import { CONNECTION_LOST } from '#web/components/use-form-dialog.ts'
import { toWallTimeRange } from '#web/lib/format.ts'
import { useGoTo } from '#web/lib/link.tsx'
import { pathOf } from '#web/paths.ts'
import { Button } from '#web/ui/button/button.tsx'
import {
  IconArrowBackUp,
  IconCalendar,
  IconCalendarX,
  IconCircleCheck,
  IconClock,
  IconCopy,
  IconRefresh,
  IconUsers,
  IconUserX,
} from '#web/ui/icons/icons.tsx'
import { MenuButton } from '#web/ui/menu/menu.tsx'
import { toNotice } from './booking-messages.tsx'
import styles from './booking.module.css'
import { CancelDialog } from './cancel-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { OutsideHoursDialog } from './outside-hours-dialog.tsx'
import { RebookDialog } from './rebook-dialog.tsx'
import { useBookingAction, useMayChange, useShowBooking } from './use-booking-action.ts'

/** Buttons for everything that can be done with a booking now, and what each will cause (rules §27.4). */
export function BookingActions({ booking }: { booking: BookingPage }) {
  const [dialog, setDialog] = useState<'move' | 'cancel' | 'rebook' | { reasons: readonly Obstacle[] }>()
  const { pending, run } = useBookingAction()
  const isRetrying = useIsRetrying()
  const show = useShowBooking()
  const may = useMay()
  const { _id: id, version, actions, podTitle, startTime, businessNow } = booking
  const hasBegun = startTime <= businessNow
  const mayChange = useMayChange(booking)
  const can = (action: (typeof actions)[number]) => mayChange && actions.includes(action)
  const change = { params: { id }, body: { version } }
  const close = () => setDialog(undefined)
  const consequences = mayChange ? listConsequences(booking) : []
  const reinstated = `The booking of ${podTitle} is reinstated`

  /**
   * Asks for a reason, and returns true, when only the opening hours are in the way: the booking was made outside them,
   * or before they changed.
   */
  function askForReason(error: unknown): boolean {
    const reasons = error instanceof ApiError ? error.reasons : []
    const isAsked = may.changeRecords('booking') && areHoursAlone(reasons)
    if (isAsked) setDialog({ reasons })
    return isAsked
  }

  return (
    <section className={styles.actions} aria-label="What can be done">
      {can('check-in') && (
        <Button
          variant="primary"
          icon={<IconCircleCheck size={16} />}
          loading={pending.includes('check-in')}
          onClick={() =>
            void run('check-in', `Checked in to ${podTitle}`, () =>
              api('bookingActions', 'checkIn', { params: { id }, body: { version, method: 'staff' } }),
            )
          }
        >
          Check in
        </Button>
      )}
      {can('undo-check-in') && (
        <Button
          icon={<IconArrowBackUp size={16} />}
          loading={pending.includes('undo-check-in')}
          onClick={() =>
            void run('undo-check-in', 'The check-in is taken back', () =>
              api('bookingActions', 'undoCheckIn', { params: { id }, version }),
            )
          }
        >
          Take check-in back
        </Button>
      )}
      {can('move') && (
        <Button icon={<IconCalendar size={16} />} onClick={() => setDialog('move')}>
          {hasBegun ? 'Extend or shorten' : 'Move'}
        </Button>
      )}
      {can('end') && (
        <Button
          icon={<IconClock size={16} />}
          loading={pending.includes('end')}
          onClick={() =>
            void run('end', `The booking of ${podTitle} has ended`, () => api('bookingActions', 'end', change))
          }
        >
          End now
        </Button>
      )}
      {can('no-show') && (
        <Button
          icon={<IconUserX size={16} />}
          loading={pending.includes('no-show')}
          onClick={() => void run('no-show', 'Noted that nobody came', () => api('bookingActions', 'noShow', change))}
        >
          No-show
        </Button>
      )}
      {(can('reinstate') || can('undo-no-show') || can('undo-end')) && (
        <Button
          variant="primary"
          icon={<IconArrowBackUp size={16} />}
          loading={pending.includes('reinstate')}
          onClick={() =>
            void run('reinstate', reinstated, () => api('bookingActions', 'reinstate', change), { ask: askForReason })
          }
        >
          {can('reinstate') ? 'Reinstate' : can('undo-no-show') ? 'They came after all' : 'Not over yet'}
        </Button>
      )}
      {can('cancel') && (
        <Button icon={<IconCalendarX size={16} />} onClick={() => setDialog('cancel')}>
          Cancel booking
        </Button>
      )}
      {may.call('bookings.createFor') && (
        <BookAgain booking={booking} onGive={can('cancel') && !hasBegun ? () => setDialog('rebook') : undefined} />
      )}
      {/* The banner at the foot of the page is behind a drawer. */}
      {pending.length > 0 && isRetrying && <output className={styles.consequences}>{CONNECTION_LOST}</output>}
      {consequences.length > 0 && <p className={styles.consequences}>{consequences.join(' ')}</p>}
      {dialog === 'move' && <MoveDialog booking={booking} onClose={close} />}
      {dialog === 'cancel' && <CancelDialog booking={booking} onClose={close} />}
      {dialog === 'rebook' && <RebookDialog booking={booking} onClose={close} />}
      {typeof dialog === 'object' && (
        <OutsideHoursDialog
          title="Reinstate booking"
          submitLabel="Reinstate anyway"
          reasons={dialog.reasons}
          save={async (overrideReason) => {
            const response = await api('bookingActions', 'reinstate', {
              params: { id },
              body: { version, overrideReason },
            })
            await show(response)
            return response
          }}
          success={reinstated}
          onClose={close}
        >
          {podTitle} on {booking.bookingDate}, {toWallTimeRange(booking)}.
        </OutsideHoursDialog>
      )}
    </section>
  )
}

/** Menu of further bookings like this one; `onGive` gives this one to somebody else. */
function BookAgain({ booking, onGive }: { booking: BookingPage; onGive: (() => void) | undefined }) {
  const goTo = useGoTo()
  const { _id: id, customer, bookingDate: date } = booking
  const [start, end] = toMarks(booking)
  return (
    <MenuButton
      icon={<IconCopy size={16} />}
      items={[
        {
          label: customer ? `Again for ${customer.name}` : 'The same again',
          icon: <IconRefresh />,
          onSelect: () => goTo(pathOf(PAGE.corporateBooking, { again: id })),
        },
        {
          label: 'Another pod at the same time…',
          icon: <IconCopy />,
          onSelect: () => goTo(pathOf(PAGE.corporateBooking, { beside: id, date, start, end })),
        },
        ...(onGive ? [{ label: 'Give to somebody else…', icon: <IconUsers />, onSelect: onGive }] : []),
      ]}
    >
      Book again
    </MenuButton>
  )
}

/** Returns sentences on what the one-tap actions and a cancellation will cause. */
function listConsequences({ actions, refund, endTime, businessNow, notifies }: BookingPage): string[] {
  const can = (action: (typeof actions)[number]) => actions.includes(action)
  const isOver = endTime <= businessNow
  const takesBack = can('reinstate') || can('undo-no-show') || can('undo-end')
  return [
    ...(can('end') ? [`End now ${toFreedText(endTime, businessNow)}; nothing is given back.`] : []),
    ...(can('no-show')
      ? [`No-show ${isOver ? 'only notes that nobody came' : 'frees the rest of the time'}; nothing is given back.`]
      : []),
    ...(can('cancel')
      ? [
          `Cancelling frees the time at once and gives ${refund.amount > 0 ? toMoneyText(refund.amount) : 'nothing'} back.`,
        ]
      : []),
    ...(takesBack && !isOver ? ['This holds the time again, if it is still free.'] : []),
    ...(can('reinstate') && notifies?.kinds.includes('booked') ? [toNotice(notifies.to)] : []),
  ]
}

/** Returns what an early end frees: the time from the next quarter of an hour on, as somebody was there until now. */
function toFreedText(endTime: string, businessNow: string): string {
  const next = Math.ceil(Date.parse(businessNow) / SLOT_MS) * SLOT_MS
  return next < Date.parse(endTime)
    ? 'frees the time from the next quarter of an hour'
    : 'frees no time, as the last quarter of an hour has begun'
}
