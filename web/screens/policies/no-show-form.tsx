import { submit } from '#web/api/check-body.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { NoShowField } from './no-show-field.tsx'
import styles from './policies.module.css'

type NoShowFormProps = { locationCount: number; onClose: () => void }

const initialValues: { noShowMinutes: number | string } = { noShowMinutes: '' }

/** Sets for all locations after how many minutes a booking that nobody has come for is a no-show. */
export function NoShowForm({ locationCount, onClose }: NoShowFormProps) {
  const { form, modal } = useFormDialog({
    initialValues,
    save: ({ noShowMinutes }) => submit('bookingActions', 'setNoShowMinutes', { body: { noShowMinutes } }),
    success: 'No-show by the clock set for all locations',
    domain: 'bookingActions',
    onClose,
  })
  return (
    <FormModal title="No-shows for all locations" submitLabel={`Set for ${locationCount} locations`} {...modal}>
      <NoShowField {...form.getInputProps('noShowMinutes')} />
      <p className={styles.hint}>Replaces what each location has now.</p>
    </FormModal>
  )
}
