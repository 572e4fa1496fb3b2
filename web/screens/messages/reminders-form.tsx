import { submit } from '#web/api/check-body.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { toHourOptions } from './reminder-hours.ts'

type RemindersFormProps = { locationCount: number; onClose: () => void }

/** Sets when the customers of all locations are reminded. */
export function RemindersForm({ locationCount, onClose }: RemindersFormProps) {
  const { form, modal } = useFormDialog({
    initialValues: { reminderHours: '24' },
    save: ({ reminderHours }) => submit('messages', 'setReminders', { body: { reminderHours } }),
    success: 'Reminders set for all locations',
    domain: 'messages',
    onClose,
  })
  return (
    <FormModal title="Reminders for all locations" submitLabel={`Set for ${locationCount} locations`} {...modal}>
      <NativeSelect
        label="Customers are reminded"
        hint="Replaces what each location has now."
        options={toHourOptions()}
        {...form.getInputProps('reminderHours')}
      />
    </FormModal>
  )
}
