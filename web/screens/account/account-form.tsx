import type { Account } from '#contract/account.ts'
import { staffLabels } from '#contract/field-labels.ts'
import { submit } from '#web/api/check-body.ts'
import { updateUser } from '#web/api/session.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { toTexts } from '#web/lib/fields.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { FieldRow, FormModal } from '#web/ui/form-modal/form-modal.tsx'

const { firstname, lastname, phoneNumber } = staffLabels
const labels = { firstname, lastname, phoneNumber }

const toValues = (account: Account) => toTexts(labels, account)

/** Edits the person's own name and phone number. Only a colleague who manages staff can change the rest. */
export function AccountForm({ account, onClose }: { account: Account; onClose: () => void }) {
  const { form, modal } = useFormDialog({
    initialValues: toValues(account),
    edited: { record: account, toValues, labels },
    save: async (body, version = account.version) => {
      const response = await submit('account', 'update', { body, version })
      updateUser(response.data)
      return response
    },
    domain: 'account',
    onClose,
  })
  return (
    <FormModal title="Edit details" submitLabel="Save changes" {...modal}>
      <FieldRow>
        <TextField label={labels.firstname} required {...form.getInputProps('firstname')} />
        <TextField label={labels.lastname} {...form.getInputProps('lastname')} />
      </FieldRow>
      <TextField label={labels.phoneNumber} type="tel" {...form.getInputProps('phoneNumber')} />
    </FormModal>
  )
}
