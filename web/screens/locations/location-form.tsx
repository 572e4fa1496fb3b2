import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Location } from '#contract/locations.ts'
import { api } from '#web/api/client.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { useForm } from '#web/ui/form.ts'
import { FieldRow, FormModal } from '#web/ui/form-modal/form-modal.tsx'
import type { Problem } from '#web/ui/problem.ts'
import { toProblem } from '#web/ui/problem.ts'
import { showSuccess } from '#web/ui/toasts/toasts.ts'
import { CoordinatesFields } from './coordinates-fields.tsx'
import { CountryField } from './country-field.tsx'
import styles from './location-form.module.css'
import {
  addLabels,
  editLabels,
  findLocationProblems,
  type LocationValues,
  locationFields,
  toLocationBody,
  toLocationValues,
} from './location-values.ts'

type LocationFormProps = {
  /** Edits this one, or adds a new one. */
  location: Location | undefined
  onClose: () => void
}

/** Modals 'Add New Location' and 'Edit Location' (rules §6.6). */
export function LocationForm({ location, onClose }: LocationFormProps) {
  const labels = location === undefined ? addLabels : editLabels
  const form = useForm({
    mode: 'controlled',
    initialValues: toLocationValues(location),
    validate: (values) => findLocationProblems(values, labels),
  })
  const [showsCoordinates, setShowsCoordinates] = useState(false)
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: (values: LocationValues) =>
      location === undefined
        ? api('locations', 'create', { body: toLocationBody(values) })
        : api('locations', 'update', { params: { id: location._id }, body: toLocationBody(values) }),
    onSuccess: () => {
      showSuccess(location === undefined ? 'Location created successfully' : 'Location updated successfully')
      onClose()
      void queryClient.invalidateQueries({ queryKey: ['locations'] })
    },
    onError: (error) => form.setErrors(toFormErrors(error, locationFields).fields),
  })
  const hidesError = form.errors.latitude !== undefined || form.errors.longitude !== undefined

  return (
    <FormModal
      title={location === undefined ? 'Add New Location' : 'Edit Location'}
      width={500}
      submitLabel={location === undefined ? 'Add Location' : 'Save changes'}
      dirty={form.isDirty()}
      pending={save.isPending}
      problem={save.error && toLocationProblem(save.error, location === undefined)}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClose={onClose}
    >
      <TextField label={labels.name} required maxLength={200} {...form.getInputProps('name')} />
      <TextField label={labels.Street} required maxLength={200} {...form.getInputProps('Street')} />
      <FieldRow>
        <TextField label={labels.city} required maxLength={200} {...form.getInputProps('city')} />
        <TextField label={labels.state} required maxLength={200} {...form.getInputProps('state')} />
      </FieldRow>
      <FieldRow>
        <TextField label={labels.zip} required maxLength={20} {...form.getInputProps('zip')} />
        <CountryField
          label={labels.country_code}
          required
          stored={location?.country_code}
          {...form.getInputProps('country_code')}
        />
      </FieldRow>
      <details
        className={styles.coordinates}
        open={showsCoordinates || hidesError}
        onToggle={(event) => setShowsCoordinates(event.currentTarget.open)}
      >
        <summary>Coordinates</summary>
        <CoordinatesFields
          latitude={form.getInputProps('latitude')}
          longitude={form.getInputProps('longitude')}
          onFound={(coordinates) => form.setValues(coordinates)}
        />
      </details>
    </FormModal>
  )
}

/** What failed (rules §6.7), and below it why. */
function toLocationProblem(error: Error, isNew: boolean): Problem {
  const { fields, summary } = toFormErrors(error, locationFields)
  const title = isNew ? 'Error creating location. Please check the form and try again.' : 'Error updating location'
  const marked = Object.keys(fields).length === 0 ? '' : 'What to mend stands beside the fields.'
  return { ...toProblem(error), title, message: summary ?? marked }
}
