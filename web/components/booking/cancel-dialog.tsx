import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { BookingPage } from '#contract/booking-actions.ts'
import { REFUND_REASON_REQUIRED, toFullRefund } from '#contract/cancel-policy.ts'
import { toCents, toMoneyText } from '#contract/money.ts'
import type { Series } from '#contract/series.ts'
import { submit } from '#web/api/check-body.ts'
import { api } from '#web/api/client.ts'
import { apiQuery } from '#web/api/query.ts'
import type { ApiResponse } from '#web/api/request-types.ts'
import { listScope, type Scope, SeriesScope } from '#web/components/series/series-scope.tsx'
import { Unloaded } from '#web/components/unloaded.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { toCounted, toWallTimeRange } from '#web/lib/format.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { IconCalendarX } from '#web/ui/icons/icons.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { NumberField } from '#web/ui/number-field/number-field.tsx'
import { SwitchField } from '#web/ui/switch-field/switch-field.tsx'
import { toNotice } from './booking-messages.tsx'
import styles from './booking.module.css'
import { useReloadBookings, useShowBooking } from './use-booking-action.ts'

/** `reason` is what was typed besides `chosen`: an error of the whole reason is shown there. */
type Values = { chosen: string; reason: string; causedByUs: boolean; refund: number | string; refundReason: string }

/**
 * Asks for the reason, says what the policy gives back, and lets staff give another amount, with a reason for it. For a
 * booking of a series it also asks which bookings to cancel.
 */
export function CancelDialog({ booking, onClose }: { booking: BookingPage; onClose: () => void }) {
  const { refund, cancelReasons, seriesId } = booking
  const show = useShowBooking()
  const reload = useReloadBookings()
  const [scope, setScope] = useState<Scope>('this')
  const isOne = seriesId === null || scope === 'this'
  const isRefused = isOne && !booking.actions.includes('cancel')
  const query = useQuery({
    ...apiQuery('series', 'get', { params: { id: seriesId ?? '' } }),
    enabled: seriesId !== null,
  })
  const series = query.data?.data
  const initialValues: Values = {
    chosen: cancelReasons[0] ?? '',
    reason: '',
    causedByUs: false,
    refund: refund.amount,
    refundReason: '',
  }

  async function cancelOne({ reason, causedByUs, refund: given, refundReason }: Values) {
    // An empty amount means the policy's amount.
    const isGiven = !causedByUs && given !== ''
    const isOther = isGiven && given !== refund.amount
    // Also sent as it is, since a payment may have arrived, or the policy give another amount by now than was shown.
    const amount = isGiven ? { refund: given, ...(isOther ? { refundReason } : {}) } : {}
    const body = { version: booking.version, reason, causedByUs, ...amount }
    const needsReason = isOther && refundReason.trim() === ''
    const response = await submit(
      'bookingActions',
      'cancel',
      { params: { id: booking._id }, body },
      { refundReason: needsReason ? REFUND_REASON_REQUIRED : undefined },
    ).catch(async (error) => {
      await reload()
      throw error
    })
    await show(response)
    return response
  }

  async function cancelSeveral({ _id: id, version }: Series, { reason, causedByUs }: Values) {
    const ofScope = { scope, booking: booking._id, reason, causedByUs: causedByUs ? 'true' : 'false' } as const
    // What was shown: the policies may give another sum by now.
    const about = { ...ofScope, shownRefund: sumGiven(reached, causedByUs) }
    try {
      return await api('series', 'cancel', { params: { id }, query: about, version })
    } finally {
      // Also after a failure: somebody else may have changed the series, and with it what would be cancelled.
      await reload()
    }
  }

  const { form, modal } = useFormDialog({
    initialValues,
    edits: { entity: 'booking', id: booking._id },
    save: async (values): Promise<ApiResponse<object>> => {
      const reason = values.reason === '' ? values.chosen : `${values.chosen}: ${values.reason}`
      return isOne || !series ? cancelOne({ ...values, reason }) : cancelSeveral(series, { ...values, reason })
    },
    ...(isOne ? { success: 'Booking cancelled successfully' } : {}),
    onClose,
  })
  const { chosen, causedByUs, refund: given } = form.getValues()
  // The chosen one stays: in place of one that was taken off the list, a browser shows another than is sent.
  const reasons = [...new Set([...cancelReasons, chosen])]
  const reached = isOne || !series ? [] : listScope(series, booking._id, scope)

  return (
    <FormModal
      title="Cancel booking"
      submitLabel={reached.length > 1 ? `Cancel ${reached.length} bookings` : 'Cancel booking'}
      cancelLabel="Keep booking"
      dangerIcon={<IconCalendarX size={16} />}
      cannotSubmit={isOne || series ? undefined : 'It is not known yet which bookings these are.'}
      {...modal}
    >
      <p className={styles.words}>
        {booking.podTitle} on {booking.bookingDate}, {toWallTimeRange(booking)}, for{' '}
        {booking.company?.name ?? booking.username}.{!isRefused && ' The time becomes free for others at once.'}
      </p>
      {!isRefused && booking.notifies?.kinds.includes('cancelled') && (
        <p className={styles.words}>{toNotice(booking.notifies.to)}</p>
      )}
      {seriesId !== null && <SeriesScope seriesId={seriesId} value={scope} onChange={setScope} />}
      {!isOne && <Unloaded query={query} title="The series could not be loaded" />}
      <NativeSelect
        label="Reason"
        options={reasons.map((reason) => ({ value: reason, label: reason }))}
        {...form.getInputProps('chosen')}
      />
      <TextField label="Details" {...form.getInputProps('reason')} />
      <SwitchField
        label="Caused by us"
        checked={causedByUs}
        onChange={(checked) => form.setFieldValue('causedByUs', checked)}
      />
      {isRefused ? (
        <p className={styles.quote} aria-live="polite">
          {!modal.pending && toRefusal(booking)}
        </p>
      ) : isOne ? (
        <OneRefund booking={booking} causedByUs={causedByUs}>
          <NumberField label="Give back" min={0} decimalScale={2} suffix=" ZAR" {...form.getInputProps('refund')} />
          {given !== '' && given !== refund.amount && (
            <TextField label="Reason for another amount" required {...form.getInputProps('refundReason')} />
          )}
        </OneRefund>
      ) : (
        <p className={styles.quote} aria-live="polite">
          {series ? toScopeText(reached, causedByUs) : !query.error && 'Looking for bookings…'}
        </p>
      )}
    </FormModal>
  )
}

/** Says why the booking cannot be cancelled any more: somebody else, or the clock, was faster. */
function toRefusal({ status }: BookingPage): string {
  if (status === 'Cancelled') return 'This booking has already been cancelled.'
  return 'This booking has already ended and cannot be cancelled.'
}

type OneRefundProps = { booking: BookingPage; causedByUs: boolean; children: ReactNode }

/** Says what is given back for one booking. `children` are the fields to give another amount. */
function OneRefund({ booking, causedByUs, children }: OneRefundProps) {
  const { amount, paid, refunded } = booking.refund
  if (paid === 0) return <p className={styles.quote}>Nothing was paid, so nothing is given back.</p>
  const more = refunded > 0 ? 'more ' : ''
  return (
    <>
      <p className={styles.quote} aria-live="polite">
        {refunded > 0 && `${toMoneyText(refunded)} was paid back already. `}
        {causedByUs
          ? `All of ${toMoneyText(toFullRefund(booking.refund))} is given back.`
          : `The policy gives ${toMoneyText(amount)} ${more}of ${toMoneyText(paid)} back: ${toPolicyText(booking)}.`}
      </p>
      {!causedByUs && children}
    </>
  )
}

/** '5 bookings, from 2026-12-07 to 2027-01-04. R 600.00 of R 750.00 is given back, by the policy of each.' */
function toScopeText(bookings: Series['bookings'], causedByUs: boolean): string {
  const [first, last] = [bookings[0], bookings.at(-1)]
  if (!first || !last) return 'None of these bookings is still to come.'
  const dates = first === last ? `on ${first.bookingDate}` : `from ${first.bookingDate} to ${last.bookingDate}`
  const paid = sumGiven(bookings, true)
  const count = `${toCounted(bookings.length, 'booking', 'bookings')}, ${dates}.`
  if (paid === 0) return `${count} Nothing was paid, so nothing is given back.`
  if (causedByUs) return `${count} All of ${toMoneyText(paid)} is given back.`
  return `${count} ${toMoneyText(sumGiven(bookings, false))} of ${toMoneyText(paid)} is given back, by the policy of each.`
}

function sumGiven(bookings: Series['bookings'], causedByUs: boolean): number {
  return toCents(bookings.reduce((sum, { paid, refund }) => sum + (causedByUs ? paid : refund), 0))
}

function toPolicyText({ refund: { overpaid, percent, hoursBefore, fee } }: BookingPage): string {
  const extra = overpaid > 0 ? `${toMoneyText(overpaid)} that was overpaid, and for the rest ` : ''
  if (hoursBefore === null) return `${extra}it is too late`
  const lessFee = fee > 0 ? ` less ${toMoneyText(fee)}` : ''
  return `${extra}${percent}\u00A0%${lessFee} until ${hoursBefore}\u00A0h before the start`
}
