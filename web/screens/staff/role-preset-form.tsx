import { type PageLevels, toPageAccess, toPageLevels } from '#contract/pages.ts'
import type { RolePreset } from '#contract/role-presets.ts'
import { submit } from '#web/api/check-body.ts'
import { useMay } from '#web/api/may.ts'
import { showAccess } from '#web/components/compared-access.tsx'
import { LocationsField } from '#web/components/locations-field.tsx'
import { PageAccessField } from '#web/components/page-access-field.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'

type RolePresetFormProps = {
  /** The preset to edit; undefined to add one. */
  preset: RolePreset | undefined
  onClose: () => void
}

/** `locations` is null for all. */
type Values = { name: string; auth_page: PageLevels; locations: string[] | null }

const labels = { name: 'Name', auth_page: 'Page access', locations: 'Locations' }

const toValues = (preset: RolePreset | undefined): Values => ({
  name: preset?.name ?? '',
  auth_page: toPageLevels(preset ?? { auth_page: [] }),
  locations: preset?.locations ?? null,
})

/** Modals 'Add Preset' and 'Edit Preset' (rules §34.7). */
export function RolePresetForm({ preset, onClose }: RolePresetFormProps) {
  const { held } = useMay()
  const { form, modal } = useFormDialog({
    initialValues: toValues(preset),
    edits: { entity: 'role-preset', id: preset?._id },
    edited: preset && { record: preset, toValues, labels, show: showAccess },
    save: (values, version) => {
      const body = { ...values, ...toPageAccess(values.auth_page) }
      return preset
        ? submit('rolePresets', 'update', { params: { id: preset._id }, version, body })
        : submit('rolePresets', 'create', { body })
    },
    success: preset ? 'Preset updated. Nobody who was given it has changed.' : 'Preset added',
    domain: 'rolePresets',
    onClose,
  })
  return (
    <FormModal
      title={preset ? 'Edit Preset' : 'Add Preset'}
      submitLabel={preset ? 'Save changes' : 'Add Preset'}
      {...modal}
    >
      <TextField
        label={labels.name}
        required
        autoComplete="off"
        placeholder="Front desk"
        hint="It becomes the role of a colleague who is given none."
        {...form.getInputProps('name')}
      />
      <PageAccessField
        label={labels.auth_page}
        held={held}
        {...form.getInputProps('auth_page')}
        hint="No more than you hold yourself. Whoever was given this preset before keeps what they have."
      />
      <LocationsField {...form.getInputProps('locations')} hint="Which locations whoever is given it begins with." />
    </FormModal>
  )
}
