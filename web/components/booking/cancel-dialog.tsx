import type { BookingPage } from '#contract/booking-actions.ts'
import { submit } from '#web/api/check-body.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { toMoneyText, toWallTimeRange } from '#web/lib/format.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { NumberField } from '#web/ui/number-field/number-field.tsx'
import { SwitchField } from '#web/ui/switch-field/switch-field.tsx'
import styles from './booking.module.css'
import { useShowBooking } from './use-booking-action.ts'

type Values = { reason: string; words: string; causedByUs: boolean; refund: number | string; refundReason: string }

/** Asks for the reason, says what the policy gives back, and lets staff give another amount with a reason of its own. */
export function CancelDialog({ booking, onClose }: { booking: BookingPage; onClose: () => void }) {
  const { paid, refund, cancelReasons } = booking
  const show = useShowBooking()
  const initialValues: Values = {
    reason: cancelReasons[0] ?? '',
    words: '',
    causedByUs: false,
    refund: refund.amount,
    refundReason: '',
  }
  const { form, modal } = useFormDialog({
    initialValues,
    edits: { entity: 'booking', id: booking._id },
    save: async ({ reason, words, causedByUs, refund: given, refundReason }) => {
      // An amount that is empty is the policy's.
      const isOther = paid > 0 && !causedByUs && given !== '' && given !== refund.amount
      const body = {
        version: booking.version,
        reason: words === '' ? reason : `${reason}: ${words}`,
        causedByUs,
        ...(isOther ? { refund: given, refundReason } : {}),
      }
      const needsReason = isOther && refundReason.trim() === ''
      const response = await submit(
        'bookingActions',
        'cancel',
        { params: { id: booking._id }, body },
        { refundReason: needsReason ? 'Say why another amount is given back than the policy says' : undefined },
      )
      await show(response)
      return response
    },
    success: 'Booking cancelled successfully',
    onClose,
  })
  const { causedByUs, refund: given } = form.getValues()

  return (
    <FormModal title="Cancel booking" width={500} submitLabel="Cancel booking" cancelLabel="Keep booking" {...modal}>
      <p className={styles.words}>
        {booking.podTitle} on {booking.bookingDate}, {toWallTimeRange(booking)}, for {booking.username}. The time
        becomes free for others at once.
      </p>
      <NativeSelect
        label="Reason"
        options={cancelReasons.map((reason) => ({ value: reason, label: reason }))}
        {...form.getInputProps('reason')}
      />
      <TextField label="More words" maxLength={300} {...form.getInputProps('words')} />
      <SwitchField
        label="Caused by us"
        checked={causedByUs}
        onChange={(checked) => form.setFieldValue('causedByUs', checked)}
      />
      {paid > 0 ? (
        <>
          <p className={styles.quote} aria-live="polite">
            {causedByUs
              ? `All of ${toMoneyText(paid)} is given back.`
              : `The policy gives ${toMoneyText(refund.amount)} of ${toMoneyText(paid)} back: ${toPolicyText(booking)}.`}
          </p>
          {!causedByUs && (
            <>
              <NumberField label="Give back" min={0} decimalScale={2} suffix=" ZAR" {...form.getInputProps('refund')} />
              {given !== '' && given !== refund.amount && (
                <TextField
                  label="Reason for another amount"
                  required
                  maxLength={300}
                  {...form.getInputProps('refundReason')}
                />
              )}
            </>
          )}
        </>
      ) : (
        <p className={styles.quote}>Nothing was paid, so nothing is given back.</p>
      )}
    </FormModal>
  )
}

function toPolicyText({ refund: { percent, hoursBefore, fee } }: BookingPage): string {
  if (hoursBefore === null) return 'it is too late for any of its brackets'
  const lessFee = fee > 0 ? ` less ${toMoneyText(fee)}` : ''
  return `${percent} %${lessFee} until ${hoursBefore} h before the start`
}
