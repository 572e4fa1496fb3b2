import { useQueryClient } from '@tanstack/react-query'
import { PAGE } from '#contract/pages.ts'
import { marks, purposes, toMark, toWireTime } from '#contract/slots.ts'
import { submit } from '#web/api/check-body.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { toDateText } from '#web/lib/format.ts'
import { Link } from '#web/lib/link.tsx'
import { pathOf } from '#web/paths.ts'
import { FieldRow, FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { type Draft, toTimeText } from './draft.ts'
import styles from './schedule-screen.module.css'

const purposeOptions = purposes.map((purpose) => ({ value: purpose, label: purpose }))
const timeOptions = marks.map((mark, place) => ({ value: mark, label: toTimeText(360 + place * 15) }))

/** A booking for oneself, of what was drawn. */
export function NewBooking({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const { lane } = draft
  const queryClient = useQueryClient()
  const { form, modal } = useFormDialog({
    initialValues: { bookingPurpose: 'meeting', startTime: toMark(draft.start), endTime: toMark(draft.end) },
    save: ({ bookingPurpose, startTime, endTime }) =>
      submit('bookings', 'create', {
        params: { podId: lane.podId },
        body: {
          bookingPurpose,
          bookingDate: lane.date,
          startTime: toWireTime(lane.date, startTime),
          endTime: toWireTime(lane.date, endTime),
        },
      }),
    onSaved: () => queryClient.invalidateQueries({ queryKey: ['schedule'] }),
    domain: 'bookings',
    onClose,
  })
  const { startTime, endTime } = form.getValues()
  const forOthers = pathOf(PAGE.corporateBooking, { pod: lane.podId, date: lane.date, start: startTime, end: endTime })
  return (
    <FormModal title="New booking" width={400} submitLabel="Book" {...modal}>
      <p className={styles.what}>
        <strong>{lane.title}</strong>, {lane.locationName}
        <br />
        {toDateText(lane.date)}
      </p>
      <FieldRow>
        <NativeSelect label="From" required options={timeOptions.slice(0, -1)} {...form.getInputProps('startTime')} />
        <NativeSelect label="To" required options={timeOptions.slice(1)} {...form.getInputProps('endTime')} />
      </FieldRow>
      <NativeSelect label="Purpose" required options={purposeOptions} {...form.getInputProps('bookingPurpose')} />
      <Link href={forOthers}>Book it for a customer or a company instead</Link>
    </FormModal>
  )
}
