import { useRef } from 'react'
import { pages } from '#contract/pages.ts'
import type { Staff } from '#contract/staff.ts'
import { submit } from '#web/api/check-body.ts'
import { useSession } from '#web/api/session.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { CheckboxGroup } from '#web/ui/checkbox-group/checkbox-group.tsx'
import { TextField } from '#web/ui/field/fields.tsx'
import { FieldRow, FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { staffLabels as labels, showStaffValue, toStaffValues } from './staff-values.ts'

type StaffFormProps = {
  /** Edits this one, or adds a new one. */
  staff: Staff | undefined
  /** Of a new colleague to whom no link could be mailed. */
  onLinkNeeded: (staff: Staff) => void
  onClose: () => void
}

/** Modals Add New Staff and Edit Staff. Neither asks for a password: whose it is chooses it by a link (rules §33.1). */
export function StaffForm({ staff, onLinkNeeded, onClose }: StaffFormProps) {
  const held = useSession()?.pages ?? []
  const unlinked = useRef<Staff>(undefined)
  const { form, modal } = useFormDialog({
    initialValues: toStaffValues(staff),
    edits: { entity: 'staff', id: staff?._id },
    edited: staff && { record: staff, toValues: toStaffValues, labels, show: showStaffValue },
    save: async (values, version) => {
      if (staff) {
        // The form has no choice between view and edit yet: pages to look at stay so, and are not widened by a bare list.
        const viewOnlyPages = (staff.viewOnlyPages ?? []).filter((page) => values.auth_page.includes(page))
        return submit('staff', 'update', { params: { id: staff._id }, version, body: { ...values, viewOnlyPages } })
      }
      const response = await submit('staff', 'create', { body: values })
      if (!response.data.isLinkMailed) unlinked.current = response.data
      return response
    },
    domain: 'staff',
    onClose: () => {
      onClose()
      if (unlinked.current) onLinkNeeded(unlinked.current)
    },
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
