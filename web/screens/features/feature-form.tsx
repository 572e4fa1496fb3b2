import type { Feature } from '#contract/features.ts'
import { submit } from '#web/api/check-body.ts'
import { FeatureIcon } from '#web/components/feature-icon.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { IconField } from './icon-field.tsx'

type FeatureFormProps = {
  /** The feature to edit; undefined to create one. */
  feature: Feature | undefined
  onSaved: () => Promise<void>
  onClose: () => void
}

const toValues = (feature: Feature | undefined) => ({ name: feature?.name ?? '', icon: feature?.icon ?? '' })

function showValue(name: string, { icon }: { icon: string }) {
  if (name !== 'icon') return undefined
  return (
    <>
      <FeatureIcon name={icon} /> {icon}
    </>
  )
}

/** Modals 'Create New Feature' and 'Edit Feature' (rules §7.5). */
export function FeatureForm({ feature, onSaved, onClose }: FeatureFormProps) {
  const { form, modal } = useFormDialog({
    initialValues: toValues(feature),
    edits: { entity: 'feature', id: feature?._id },
    edited: feature && {
      record: feature,
      toValues,
      labels: { name: 'Feature Name', icon: 'Icon Name' },
      show: showValue,
    },
    save: (values, version) =>
      feature === undefined
        ? submit('features', 'create', { body: { ...values, order: -1 } }) // at the end (rules §7.1)
        : submit('features', 'update', { params: { id: feature._id }, version, body: values }),
    success: feature === undefined ? 'Feature created successfully' : 'Feature updated successfully',
    onSaved: () => void onSaved(),
    onClose,
  })

  return (
    <FormModal title={feature === undefined ? 'Create New Feature' : 'Edit Feature'} submitLabel="Submit" {...modal}>
      <TextField label="Feature Name" required {...form.getInputProps('name')} />
      <IconField required {...form.getInputProps('icon')} />
    </FormModal>
  )
}
