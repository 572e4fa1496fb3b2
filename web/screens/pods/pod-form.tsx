import { useState } from 'react'
import { podLabels as labels } from '#contract/field-labels.ts'
import type { Pod } from '#contract/pods.ts'
import { SECRET_MASK } from '#contract/secrets.ts'
import { checkBody } from '#web/api/check-body.ts'
import { api } from '#web/api/client.ts'
import { remember } from '#web/components/known-options.ts'
import { LocationField } from '#web/components/location-field.tsx'
import { MovedPodNotice } from '#web/components/message-notice.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { PasswordField, TextAreaField, TextField } from '#web/ui/field/fields.tsx'
import { FieldRow, FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { NativeSelect } from '#web/ui/native-select/native-select.tsx'
import { NumberField } from '#web/ui/number-field/number-field.tsx'
import { showPodValue, toComparedImage, toComparedPod, toPodOptions } from './compared-values.tsx'
import { FeaturesField } from './features-field.tsx'
import { FormSection, MoreSection } from './form-section.tsx'
import { ImagesField } from './images-field.tsx'
import {
  bufferOptions,
  emptyPod,
  findRequiredErrors,
  toCopiedValues,
  toPodBody,
  toPodValues,
  toTypedPassword,
} from './pod-values.ts'
import { useImageList } from './use-image-list.ts'

type PodFormProps = {
  /** The pod to edit; undefined to create one. */
  pod: Pod | undefined
  /** The pod that a new one begins as a copy of. */
  copied?: Pod
  onClose: () => void
}

/** Creates a pod or edits one (rules §5.2). */
export function PodForm({ pod, copied, onClose }: PodFormProps) {
  const shown = pod ?? copied
  const { list: imageList, items, changed: imagesChanged } = useImageList(shown?.images ?? [])
  const [known] = useState(() => remember(new Map(), shown ? toPodOptions(shown) : []))
  const { form, modal } = useFormDialog({
    initialValues: pod ? toPodValues(pod) : copied ? toCopiedValues(copied) : emptyPod,
    edits: { entity: 'pod', id: pod?._id },
    edited: pod && {
      record: pod,
      toValues: (record: Pod) => {
        // In a conflict, this record's location and features may be taken into the form, which needs their labels.
        remember(known, toPodOptions(record))
        return toComparedPod(record)
      },
      labels,
      show: (name, values) => showPodValue(name, values, known),
      others: {
        read: () => ({ images: imageList.get().flatMap(({ image }) => (image ? toComparedImage(image) : [])) }),
        write: ({ images }) => imageList.set(images),
      },
    },
    save: async (values, version) => {
      // Validates the fields first, while images may still be uploading.
      const chosen = imageList.get().map(({ name, image }) => image ?? { public_id: '', url: name })
      await checkBody('pods', pod ? 'update' : 'create', toPodBody(values, chosen), findRequiredErrors(values))
      const images = await imageList.settle()
      // With what was typed meanwhile.
      const body = toPodBody(form.getValues(), images)
      return pod ? api('pods', 'update', { params: { id: pod._id }, version, body }) : api('pods', 'create', { body })
    },
    success: pod ? 'Pod updated successfully!' : 'Pod created successfully!',
    domain: 'pods',
    otherFields: ['images'],
    failureTitle: pod ? 'Error updating pod' : 'Error creating pod',
    onClose,
  })

  const isMoved = pod !== undefined && form.values.location !== null && form.values.location !== pod.location._id

  return (
    <FormModal
      title={pod ? 'Edit Pod' : 'Create Pod'}
      submitLabel={pod ? 'Save changes' : 'Create Pod'}
      {...modal}
      dirty={modal.dirty || imagesChanged}
      isOpenWhilePending={items.some(({ progress }) => progress !== undefined)}
    >
      <FormSection title="Basics">
        <TextField
          label={labels.title}
          required
          hint={copied && `Everything but the title and the device is as in ${copied.title}.`}
          {...form.getInputProps('title')}
        />
        <TextAreaField label={labels.description} required {...form.getInputProps('description')} />
        <FieldRow>
          <NumberField
            label={labels.capacity}
            min={1}
            decimalScale={0}
            hint="How many people it seats, 1 to 50"
            {...form.getInputProps('capacity')}
          />
          <NativeSelect
            label={labels.bufferMinutes}
            hint="Kept free after each new booking"
            options={bufferOptions}
            {...form.getInputProps('bufferMinutes')}
          />
        </FieldRow>
        <FeaturesField label={labels.features} required known={known} {...form.getInputProps('features')} />
      </FormSection>

      <FormSection title="Place" spellCheck={false}>
        <LocationField
          label={labels.location}
          required
          known={known}
          hint={isMoved && <MovedPodNotice />}
          {...form.getInputProps('location')}
        />
        <TextField
          label={labels.direction}
          required
          placeholder="https://maps.app.goo.gl/…"
          inputMode="url"
          {...form.getInputProps('direction')}
        />
      </FormSection>

      <FormSection title="Pictures">
        <ImagesField
          list={imageList}
          items={items}
          error={form.errors.images}
          onChange={() => form.clearFieldError('images')}
        />
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
