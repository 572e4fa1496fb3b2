import { useState } from 'react'
import type { BookingPage } from '#contract/booking-actions.ts'
import { MINUTE } from '#contract/durations.ts'
import { toMoneyText } from '#contract/money.ts'
import { submit } from '#web/api/check-body.ts'
import { BookedForFields } from '#web/components/booked-for/booked-for-fields.tsx'
import {
  type BookedFor,
  bookedForPaths,
  forOneself,
  toBookFor,
  toOwedText,
} from '#web/components/booked-for/booked-for.ts'
import { Unloaded } from '#web/components/unloaded.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { toWallTimeRange } from '#web/lib/format.ts'
import { useGoTo } from '#web/lib/link.tsx'
import { bookingPath } from '#web/paths.ts'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { toNotice } from './booking-messages.tsx'
import styles from './booking.module.css'
import { useReloadBookings } from './use-booking-action.ts'
import { usePrice, useReloadPrices } from './use-price.ts'

const initialValues: { bookedFor: BookedFor } = { bookedFor: { ...forOneself, kind: 'customer' } }

/** Books the time of a booking for somebody else and cancels that booking (rules §29.10), and goes to the new one. */
export function RebookDialog({ booking: shown, onClose }: { booking: BookingPage; onClose: () => void }) {
  // As it was: when the response is lost, the booking is cancelled by the time the same request is sent again.
  const [booking] = useState(shown)
  const { _id: id, podId, podTitle, bookingDate, startTime, endTime, version, paid, notifies } = booking
  const goTo = useGoTo()
  const reload = useReloadBookings()
  const reloadPrices = useReloadPrices()
  const { form, modal } = useFormDialog({
    initialValues,
    otherFields: bookedForPaths,
    edits: { entity: 'booking', id },
    save: ({ bookedFor }) =>
      submit('bookings', 'rebook', {
        params: { id },
        body: { version, for: toBookFor(bookedFor), ...(bookedFor.kind !== 'me' && { price }) },
      }).catch(async (error) => {
        // Somebody else may have changed the booking, or the price.
        await Promise.all([reload(), reloadPrices()])
        throw error
      }),
    success: 'Booked, and the earlier booking is cancelled',
    onSaved: reload,
    onClose,
    afterClose: (saved) => goTo(bookingPath(saved.booking._id)),
  })
  const { bookedFor } = form.getValues()
  const isSold = bookedFor.kind !== 'me'
  const minutes = (Date.parse(endTime) - Date.parse(startTime)) / MINUTE
  const { price, priceQuery, isLoading } = usePrice({ _id: podId }, minutes, isSold)
  return (
    <FormModal
      title="Give to somebody else"
      submitLabel="Book for them"
      cancelLabel="Keep booking"
      cannotSubmit={
        paid > 0
          ? 'It has been paid for. Cancel it, and book the time again.'
          : isSold && price === undefined
            ? 'Its price is not known.'
            : undefined
      }
      {...modal}
    >
      <p className={styles.words}>
        {podTitle} on {bookingDate}, {toWallTimeRange(booking)}, is booked for{' '}
        {booking.company?.name ?? booking.username}.
        {paid === 0 &&
          ' Whoever you choose gets that time and a code of their own. The earlier booking is cancelled, and its code no longer opens the door.'}
      </p>
      {paid > 0 ? (
        <p className={styles.quote}>
          {toMoneyText(paid)} has been paid for it. Cancel it, which says what is given back, and book the time again.
        </p>
      ) : (
        <>
          {notifies?.kinds.includes('cancelled') && <p className={styles.words}>{toNotice(notifies.to)}</p>}
          <BookedForFields
            value={bookedFor}
            onChange={(value) => {
              form.clearErrors()
              form.setFieldValue('bookedFor', value)
            }}
            errors={form.errors}
          />
          {isSold && price === undefined ? (
            <Unloaded query={priceQuery} title="The price could not be loaded">
              <p className={styles.quote}>
                {isLoading ? 'Looking up the price…' : 'This pod has been deleted and cannot be booked again.'}
              </p>
            </Unloaded>
          ) : (
            <p className={styles.quote} aria-live="polite">
              {price === undefined
                ? 'Staff’s own bookings are not paid for.'
                : toOwedText(bookedFor, toMoneyText(price)) + toEarlierPrice(booking, price)}
            </p>
          )}
        </>
      )}
    </FormModal>
  )
}

/** Returns what the earlier booking cost, if that was another price; else ''. */
function toEarlierPrice({ price: earlier }: BookingPage, price: number): string {
  return earlier === null || earlier === price ? '' : ` For the earlier booking, that was ${toMoneyText(earlier)}.`
}
