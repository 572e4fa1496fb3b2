import type { BookingPage } from '#contract/booking-actions.ts'
import { submit } from '#web/api/check-body.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { TextAreaField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { useShowBooking } from './use-booking-action.ts'

/** What staff should know of this visit. */
export function NoteDialog({ booking, onClose }: { booking: BookingPage; onClose: () => void }) {
  const show = useShowBooking()
  const { form, modal } = useFormDialog({
    initialValues: { note: booking.note },
    edits: { entity: 'booking', id: booking._id },
    edited: { record: booking, toValues: ({ note }: BookingPage) => ({ note }), labels: { note: 'Note' } },
    save: async ({ note }, version = booking.version) => {
      const response = await submit('bookingActions', 'note', { params: { id: booking._id }, body: { note, version } })
      await show(response)
      return response
    },
    success: 'Note saved',
    onClose,
  })
  return (
    <FormModal title="Note" width={500} submitLabel="Save" {...modal}>
      <TextAreaField
        label="Note"
        hint="For colleagues; the customer does not see it."
        rows={6}
        maxLength={2000}
        {...form.getInputProps('note')}
      />
    </FormModal>
  )
}
