import { customerLabels } from '#contract/field-labels.ts'
import type { Customer } from '#contract/users.ts'
import { submit } from '#web/api/check-body.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { toTexts } from '#web/lib/fields.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { FieldRow, FormModal } from '#web/ui/form-modal/form-modal.tsx'

const toValues = (customer: Customer) => toTexts(customerLabels, customer)

type ContactFormProps = { customer: Customer; onClose: () => void }

export function ContactForm({ customer, onClose }: ContactFormProps) {
  const { form, modal } = useFormDialog({
    initialValues: toValues(customer),
    edits: { entity: 'customer', id: customer._id },
    edited: { record: customer, toValues, labels: customerLabels },
    save: (body, version = customer.version) =>
      submit('users', 'update', { params: { id: customer._id }, version, body }),
    success: 'Contact details saved',
    domain: 'users',
    onClose,
  })
  return (
    <FormModal title="Edit contact details" submitLabel="Save changes" {...modal}>
      <FieldRow>
        <TextField label={customerLabels.firstname} required autoComplete="off" {...form.getInputProps('firstname')} />
        <TextField label={customerLabels.lastname} autoComplete="off" {...form.getInputProps('lastname')} />
      </FieldRow>
      <TextField
        label={customerLabels.email}
        type="email"
        autoComplete="off"
        hint="Messages that went to another address can be sent again from the booking."
        {...form.getInputProps('email')}
      />
      <TextField label={customerLabels.mobile} type="tel" autoComplete="off" {...form.getInputProps('mobile')} />
    </FormModal>
  )
}
