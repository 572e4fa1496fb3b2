import { pages } from '#contract/pages.ts'
import { MIN_PASSWORD_LENGTH } from '#contract/password-rules.ts'
import type { Staff } from '#contract/staff.ts'
import { submit } from '#web/api/check-body.ts'
import { useSession } from '#web/api/session.ts'
import { NewPasswordField, useNewPasswordRules } from '#web/components/new-password.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { CheckboxGroup } from '#web/ui/checkbox-group/checkbox-group.tsx'
import { TextField } from '#web/ui/field/fields.tsx'
import { FieldRow, FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { staffLabels as labels, showStaffValue, toStaffEdit, toStaffValues } from './staff-values.ts'

type StaffFormProps = {
  /** Edits this one, or adds a new one. */
  staff: Staff | undefined
  onClose: () => void
}

/** Modals Add New Staff and Edit Staff; the edit starts from current values with an empty password (rules §9.2). */
export function StaffForm({ staff, onClose }: StaffFormProps) {
  const held = useSession()?.pages ?? []
  const findPasswordProblem = useNewPasswordRules()
  const { form, modal } = useFormDialog({
    initialValues: toStaffValues(staff),
    edits: { entity: 'staff', id: staff?._id },
    edited: staff && { record: staff, toValues: toStaffValues, labels, show: showStaffValue },
    save: (values, version) => {
      const password = values.password === '' ? undefined : findPasswordProblem(values.password, values.email)
      return staff === undefined
        ? submit('staff', 'create', { body: values }, { password })
        : submit('staff', 'update', { params: { id: staff._id }, version, body: toStaffEdit(values) }, { password })
    },
    domain: 'staff',
    onClose,
  })
  const options = pages.map(({ id, name, codeName }) => ({
    value: String(id),
    label: name,
    hint: codeName === name ? undefined : codeName,
    // Nobody grants what they do not hold.
    disabled: !held.includes(id),
  }))

  return (
    <FormModal
      title={staff === undefined ? 'Add New Staff' : 'Edit Staff'}
      width={500}
      submitLabel={staff === undefined ? 'Add Staff' : 'Save changes'}
      {...modal}
    >
      <FieldRow>
        <TextField label={labels.firstname} required {...form.getInputProps('firstname')} />
        <TextField label={labels.lastname} {...form.getInputProps('lastname')} />
      </FieldRow>
      <TextField label={labels.email} type="email" required autoComplete="off" {...form.getInputProps('email')} />
      <FieldRow>
        <TextField label={labels.phoneNumber} type="tel" {...form.getInputProps('phoneNumber')} />
        <TextField label={labels.role} placeholder="Operations" {...form.getInputProps('role')} />
      </FieldRow>
      <NewPasswordField
        label={labels.password}
        required={staff === undefined}
        hint={`At least ${MIN_PASSWORD_LENGTH} characters${staff === undefined ? '' : '; leave empty to keep the present one'}`}
        problem={findPasswordProblem(form.values.password, form.values.email)}
        {...form.getInputProps('password')}
      />
      <CheckboxGroup
        label={labels.auth_page}
        columns={3}
        options={options}
        value={form.values.auth_page}
        onChange={(codes) => form.setFieldValue('auth_page', codes)}
        error={form.errors.auth_page}
        hint="You can grant the pages that you hold yourself."
      />
    </FormModal>
  )
}
