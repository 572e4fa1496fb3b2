import { toPageAccess, toPageLevels } from '#contract/pages.ts'
import type { Staff } from '#contract/staff.ts'
import { submit } from '#web/api/check-body.ts'
import { useMay } from '#web/api/may.ts'
import { showAccess } from '#web/components/compared-access.tsx'
import { LocationsField } from '#web/components/locations-field.tsx'
import { PageAccessField } from '#web/components/page-access-field.tsx'
import { PresetChoice } from '#web/components/preset-choice.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { FieldRow, FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { labels, toStaffValues } from './staff-values.ts'

type StaffFormProps = {
  /** The colleague to edit; undefined to add one. */
  staff: Staff | undefined
  /** Called for a new colleague to whom no password link could be mailed. */
  onLinkNeeded: (staff: Staff) => void
  onClose: () => void
}

/** Modals 'Add New Staff' and 'Edit Staff'. Without a password: colleagues choose it by a link (rules §33.1). */
export function StaffForm({ staff, onLinkNeeded, onClose }: StaffFormProps) {
  const { held } = useMay()
  const { form, modal } = useFormDialog({
    initialValues: toStaffValues(staff),
    edits: { entity: 'staff', id: staff?._id },
    edited: staff && { record: staff, toValues: toStaffValues, labels, show: showAccess },
    save: (values, version) => {
      const body = { ...values, ...toPageAccess(values.auth_page) }
      return staff
        ? submit('staff', 'update', { params: { id: staff._id }, version, body })
        : submit('staff', 'create', { body })
    },
    domain: 'staff',
    more: (saved) =>
      'isLinkMailed' in saved && saved.isLinkMailed ? { note: `The invitation is mailed to ${saved.email}.` } : {},
    onClose,
    afterClose: (saved) => 'isLinkMailed' in saved && !saved.isLinkMailed && onLinkNeeded(saved),
  })

  return (
    <FormModal
      title={staff === undefined ? 'Add New Staff' : 'Edit Staff'}
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
      {!modal.readOnly && (
        <PresetChoice
          held={held}
          onChoose={(preset) => {
            form.setFieldValue('auth_page', toPageLevels(preset))
            form.setFieldValue('locations', preset.locations)
            if (form.values.role.trim() === '') form.setFieldValue('role', preset.name)
          }}
        />
      )}
      <PageAccessField
        label={labels.auth_page}
        held={held}
        {...form.getInputProps('auth_page')}
        hint="View lets them see a page; Edit lets them change what it shows too. You can give no more than you hold yourself."
      />
      <LocationsField
        {...form.getInputProps('locations')}
        hint="With some, this person sees and changes only what belongs to them, and cannot manage colleagues."
      />
    </FormModal>
  )
}
