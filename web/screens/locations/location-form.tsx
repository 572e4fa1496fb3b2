import { useState } from 'react'
import type { Location } from '#contract/locations.ts'
import { submit } from '#web/api/check-body.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { findCountryName } from '#web/lib/country-name.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { FieldRow, FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { CoordinatesFields } from './coordinates-fields.tsx'
import { CountryField } from './country-field.tsx'
import styles from './location-form.module.css'
import { addLabels, editLabels, findCoordinateErrors, toLocationBody, toLocationValues } from './location-values.ts'

type LocationFormProps = {
  /** The location to edit; undefined to add one. */
  location: Location | undefined
  onClose: () => void
}

/** Modals 'Add New Location' and 'Edit Location' (rules §6.6). */
export function LocationForm({ location, onClose }: LocationFormProps) {
  const labels = location === undefined ? addLabels : editLabels
  const { form, modal } = useFormDialog({
    initialValues: toLocationValues(location),
    edits: { entity: 'location', id: location?._id },
    edited: location && {
      record: location,
      toValues: toLocationValues,
      labels: { ...labels, latitude: 'Latitude', longitude: 'Longitude' },
      show: (name, { country_code }) => (name === 'country_code' ? findCountryName(country_code) : undefined),
    },
    save: (values, version) => {
      const body = toLocationBody(values)
      const ownErrors = findCoordinateErrors(values)
      return location === undefined
        ? submit('locations', 'create', { body }, ownErrors)
        : submit('locations', 'update', { params: { id: location._id }, version, body }, ownErrors)
    },
    success: location === undefined ? 'Location created successfully' : 'Location updated successfully',
    domain: 'locations',
    labels,
    failureTitle:
      location === undefined
        ? 'Error creating location. Please check the form and try again.'
        : 'Error updating location',
    onClose,
  })
  const [showsCoordinates, setShowsCoordinates] = useState(false)
  const hidesError = form.errors.latitude !== undefined || form.errors.longitude !== undefined

  return (
    <FormModal
      title={location === undefined ? 'Add New Location' : 'Edit Location'}
      submitLabel={location === undefined ? 'Add Location' : 'Save changes'}
      {...modal}
    >
      <TextField label={labels.name} required {...form.getInputProps('name')} />
      <TextField label={labels.Street} required {...form.getInputProps('Street')} />
      <FieldRow>
        <TextField label={labels.city} required {...form.getInputProps('city')} />
        <TextField label={labels.state} required {...form.getInputProps('state')} />
      </FieldRow>
      <FieldRow>
        <TextField label={labels.zip} required {...form.getInputProps('zip')} />
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
