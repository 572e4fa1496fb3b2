import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import type { Pod } from '#contract/pods.ts'
import { SECRET_MASK } from '#contract/secrets.ts'
import { api } from '#web/api/client.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { PasswordField, TextAreaField, TextField } from '#web/ui/field/fields.tsx'
import { useForm } from '#web/ui/form.ts'
import { FieldRow, FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { NumberField } from '#web/ui/number-field/number-field.tsx'
import { type Problem, toProblem } from '#web/ui/problem.ts'
import { showSuccess } from '#web/ui/toasts/toasts.ts'
import { FormSection, MoreSection } from './form-section.tsx'
import { ImagesField } from './images-field.tsx'
import { FeaturesField, LocationField } from './lookup-fields.tsx'
import {
  emptyPod,
  findPodErrors,
  podLabels as labels,
  type PodField,
  podFields,
  toPodBody,
  toPodValues,
  toTypedPassword,
} from './pod-values.ts'
import { useImageList } from './use-image-list.ts'

type PodFormProps = {
  /** None to create one. */
  pod: Pod | undefined
  onClose: () => void
}

/** Creates a pod or edits one (rules §5.2). */
export function PodForm({ pod, onClose }: PodFormProps) {
  const { list: imageList, items, changed: imagesChanged } = useImageList(pod?.images ?? [])
  const form = useForm({
    mode: 'controlled',
    initialValues: pod ? toPodValues(pod) : emptyPod,
    validate: (values) => findPodErrors(values, imageList.get().length),
  })
  const [problem, setProblem] = useState<Problem>()
  const imagesBox = useRef<HTMLDivElement>(null)
  const queryClient = useQueryClient()

  const save = useMutation({
    mutationFn: async (values: typeof form.values) => {
      const images = await imageList.settle()
      const body = toPodBody(values, images)
      return pod ? api('pods', 'update', { params: { id: pod._id }, body }) : api('pods', 'create', { body })
    },
    onSuccess: async () => {
      showSuccess(pod ? 'Pod updated successfully!' : 'Pod created successfully!')
      onClose()
      await queryClient.invalidateQueries({ queryKey: ['pods'] })
    },
    onError: (error) => {
      const { fields, summary } = toFormErrors(error, podFields)
      form.setErrors(fields)
      setProblem({
        ...toProblem(error),
        title: pod ? 'Error updating pod' : 'Error creating pod',
        message: summary ?? 'Please check the fields marked below.',
      })
      showFirst(fields)
    },
  })

  const submit = form.onSubmit(
    (values) => {
      setProblem(undefined)
      save.mutate(values)
    },
    (errors) => showFirst(errors),
  )

  /** Leads to the first field in error, in the order of the form. */
  function showFirst(errors: Partial<Record<string, unknown>>) {
    const first = podFields.find((field) => errors[field])
    // Once the errors are drawn; a closed section has opened by then.
    if (first) requestAnimationFrame(() => findControl(first)?.focus())
  }

  const findControl = (field: PodField) =>
    field === 'images' ? imagesBox.current?.querySelector('button') : form.getInputNode(field)

  return (
    <FormModal
      title={pod ? 'Edit Pod' : 'Create Pod'}
      width={500}
      submitLabel={pod ? 'Save changes' : 'Create Pod'}
      // The event is the form's own, whatever the types of the form's library call it.
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => submit(event)}
      onClose={onClose}
      pending={save.isPending}
      dirty={form.isDirty() || imagesChanged}
      problem={problem}
    >
      <FormSection title="Basics">
        <TextField label={labels.title} required {...form.getInputProps('title')} />
        <TextAreaField label={labels.description} required {...form.getInputProps('description')} />
        <NumberField
          label={labels.capacity}
          min={1}
          decimalScale={0}
          hint="How many people it seats, 1 to 50"
          {...form.getInputProps('capacity')}
        />
        <FeaturesField
          label={labels.features}
          required
          current={pod?.features ?? []}
          {...form.getInputProps('features')}
        />
      </FormSection>

      <FormSection title="Place" spellCheck={false}>
        <LocationField label={labels.location} required current={pod?.location} {...form.getInputProps('location')} />
        <TextField
          label={labels.direction}
          required
          placeholder="https://maps.app.goo.gl/…"
          inputMode="url"
          {...form.getInputProps('direction')}
        />
      </FormSection>

      <FormSection title="Pictures">
        <div ref={imagesBox}>
          <ImagesField
            list={imageList}
            items={items}
            error={form.errors.images}
            onChange={() => form.clearFieldError('images')}
          />
        </div>
      </FormSection>

      <FormSection title="Rules & texts">
        <TextAreaField label={labels.booking_requirements} required {...form.getInputProps('booking_requirements')} />
        <TextAreaField label={labels.availability} required rows={2} {...form.getInputProps('availability')} />
        <TextAreaField label={labels.cancellation_policy} required {...form.getInputProps('cancellation_policy')} />
        <TextAreaField label={labels.safety_and_property} required {...form.getInputProps('safety_and_property')} />
      </FormSection>

      <FormSection title="Device" spellCheck={false}>
        <FieldRow>
          <TextField label={labels.UserId} required {...form.getInputProps('UserId')} />
          <TextField label={labels.deviceId} required {...form.getInputProps('deviceId')} />
        </FieldRow>
        <FieldRow>
          <TextField label={labels.serial} required {...form.getInputProps('serial')} />
          <PasswordField
            label={labels.password}
            required
            autoComplete="new-password"
            hint={pod && 'Leave it as it is to keep the stored password.'}
            {...form.getInputProps('password')}
            onChange={(typed) => form.setFieldValue('password', toTypedPassword(form.values.password, typed))}
            onFocus={({ target }) => {
              if (form.values.password === SECRET_MASK && target instanceof HTMLInputElement) target.select()
            }}
          />
        </FieldRow>
      </FormSection>

      <FormSection title="Price & host" spellCheck={false}>
        <FieldRow>
          <NumberField label={labels.rate} required min={0} suffix=" ZAR" {...form.getInputProps('rate')} />
          <TextField label={labels.email} required type="email" inputMode="email" {...form.getInputProps('email')} />
        </FieldRow>
      </FormSection>

      <MoreSection forceOpen={['timeSlot', 'tags', 'productId'].some((field) => Boolean(form.errors[field]))}>
        <TextField label={labels.timeSlot} {...form.getInputProps('timeSlot')} />
        <TextField label={labels.tags} hint="Separated by commas" {...form.getInputProps('tags')} />
        <TextField label={labels.productId} spellCheck={false} {...form.getInputProps('productId')} />
      </MoreSection>
    </FormModal>
  )
}
