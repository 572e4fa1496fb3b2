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
import { type Proposal } from './proposal.ts'
import styles from './schedule-screen.module.css'
import { toTimeText } from './schedule-texts.ts'

const purposeOptions = purposes.map((purpose) => ({ value: purpose, label: purpose }))
const timeOptions = marks.map((mark, place) => ({ value: mark, label: toTimeText(360 + place * 15) }))

/** A booking for oneself, of what was drawn. */
export function NewBooking({ proposal, onClose }: { proposal: Proposal; onClose: () => void }) {
  const { row } = proposal
  const queryClient = useQueryClient()
  const { form, modal } = useFormDialog({
    initialValues: { bookingPurpose: 'meeting', startTime: toMark(proposal.start), endTime: toMark(proposal.end) },
    save: ({ bookingPurpose, startTime, endTime }) =>
      submit('bookings', 'create', {
        params: { podId: row.podId },
        body: {
          bookingPurpose,
          bookingDate: row.date,
          startTime: toWireTime(row.date, startTime),
          endTime: toWireTime(row.date, endTime),
        },
      }),
    onSaved: () => queryClient.invalidateQueries({ queryKey: ['schedule'] }),
    domain: 'bookings',
    onClose,
  })
  const { startTime, endTime } = form.getValues()
  const forOthers = pathOf(PAGE.corporateBooking, { pod: row.podId, date: row.date, start: startTime, end: endTime })
  return (
    <FormModal title="New booking" width={400} submitLabel="Book" {...modal}>
      <p className={styles.what}>
        <strong>{row.title}</strong>, {row.locationName}
        <br />
        {toDateText(row.date)}
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
