import { useMutation } from '@tanstack/react-query'
import type { Feature } from '#contract/features.ts'
import { api } from '#web/api/client.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { useForm } from '#web/ui/form.ts'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { showSuccess } from '#web/ui/toasts/toasts.ts'
import { IconField } from './icon-field.tsx'

const fields = ['name', 'icon'] as const

type FeatureFormProps = {
  /** Edits this one, or creates a new one. */
  feature: Feature | undefined
  onSaved: () => Promise<void>
  onClose: () => void
}

/** Modals 'Create New Feature' and 'Edit Feature' (rules §7.5). */
export function FeatureForm({ feature, onSaved, onClose }: FeatureFormProps) {
  const form = useForm({
    mode: 'controlled',
    initialValues: { name: feature?.name ?? '', icon: feature?.icon ?? '' },
    validate: {
      name: (name) => (name.trim() === '' ? 'Feature Name is required' : null),
      icon: (icon) => (icon.trim() === '' ? 'Icon Name is required' : null),
    },
  })
  const save = useMutation({
    mutationFn: (values: { name: string; icon: string }) =>
      feature === undefined
        ? api('features', 'create', { body: { ...values, order: -1 } }) // to the end
        : api('features', 'update', { params: { id: feature._id }, body: values }),
    onSuccess: () => {
      showSuccess(feature === undefined ? 'Feature created successfully' : 'Feature updated successfully')
      onClose()
      void onSaved()
    },
    onError: (error) => form.setErrors(toFormErrors(error, fields).fields),
  })
  const summary = save.error && toFormErrors(save.error, fields).summary

  return (
    <FormModal
      title={feature === undefined ? 'Create New Feature' : 'Edit Feature'}
      width={500}
      submitLabel="Submit"
      dirty={form.isDirty()}
      pending={save.isPending}
      problem={summary ? { ...toProblem(save.error), message: summary } : null}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClose={onClose}
    >
      <TextField label="Feature Name" required maxLength={200} {...form.getInputProps('name')} />
      <IconField required {...form.getInputProps('icon')} />
    </FormModal>
  )
}
