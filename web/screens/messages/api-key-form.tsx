import type { ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import { PAGE, type PageLevels, toPageAccess, toPageLevels } from '#contract/pages.ts'
import { submit } from '#web/api/check-body.ts'
import { useMay } from '#web/api/may.ts'
import type { ApiResponse } from '#web/api/request-types.ts'
import { showAccess } from '#web/components/compared-access.tsx'
import { LocationsField } from '#web/components/locations-field.tsx'
import { PageAccessField } from '#web/components/page-access-field.tsx'
import { PresetChoice } from '#web/components/preset-choice.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { getBusinessDay } from '#web/lib/business-day.ts'
import { addDays } from '#web/lib/days.ts'
import { DateField } from '#web/ui/date-field/date-field.tsx'
import { TextField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { SwitchField } from '#web/ui/switch-field/switch-field.tsx'

type ApiKeyFormProps = {
  /** The key to edit; undefined to create one. */
  apiKey: ApiKey | undefined
  /** Called with a new key, which the server gives only once. */
  onKey: (key: string) => void
  onClose: () => void
}

/** `locations` is null for all. `expiresOn` is null if the key never expires, and '' while no day is chosen. */
type Values = { name: string; auth_page: PageLevels; locations: string[] | null; expiresOn: string | null }

const labels = { name: 'Name', auth_page: 'Page access', locations: 'Locations', expiresOn: 'Last day' }
const A_YEAR = 365
const viewAtMost = { page: PAGE.staff, reason: 'A key only views it', problem: 'a key only views Assign Role' }

const toValues = ({ name, locations, expiresOn, ...access }: ApiKey): Values => ({
  name,
  locations,
  auth_page: toPageLevels(access),
  expiresOn,
})

const toNewValues = (): Values => ({
  name: '',
  auth_page: {},
  locations: null,
  expiresOn: addDays(getBusinessDay(), A_YEAR),
})

function showValue(name: keyof Values, values: Values): ReactNode {
  return name === 'expiresOn' ? (values.expiresOn ?? 'Never expires') : showAccess(name, values)
}

/** Modals 'Create API key' and 'Edit API key' (rules §38.1). */
export function ApiKeyForm({ apiKey, onKey, onClose }: ApiKeyFormProps) {
  const { held } = useMay()
  const { form, modal } = useFormDialog({
    initialValues: apiKey ? toValues(apiKey) : toNewValues(),
    edits: { entity: 'api-key', id: apiKey?._id },
    edited: apiKey && { record: apiKey, toValues, labels, show: showValue },
    save: (values, version): Promise<ApiResponse<ApiKey & { key?: string }>> => {
      const body = { ...values, ...toPageAccess(values.auth_page) }
      return apiKey
        ? submit('apiKeys', 'update', { params: { id: apiKey._id }, version, body })
        : submit('apiKeys', 'create', { body })
    },
    success: apiKey ? 'API key updated' : 'API key created',
    domain: 'apiKeys',
    onClose,
    afterClose: ({ key }) => key !== undefined && onKey(key),
  })
  const { expiresOn } = form.values

  return (
    <FormModal
      title={apiKey ? 'Edit API key' : 'Create API key'}
      submitLabel={apiKey ? 'Save changes' : 'Create API key'}
      {...modal}
    >
      <TextField
        label={labels.name}
        required
        autoComplete="off"
        placeholder="Door hardware"
        hint="The system that will use it: its changes appear in the history under this name."
        {...form.getInputProps('name')}
      />
      <PresetChoice
        held={held}
        viewAtMost={viewAtMost}
        onChoose={(preset) => {
          form.setFieldValue('auth_page', toPageLevels(preset))
          form.setFieldValue('locations', preset.locations)
        }}
      />
      <PageAccessField
        label={labels.auth_page}
        held={held}
        viewAtMost={viewAtMost}
        {...form.getInputProps('auth_page')}
        hint="Give as few as the system can do with, and no more than you hold yourself."
      />
      <LocationsField
        {...form.getInputProps('locations')}
        hint="With some, the key sees and changes only what belongs to them."
      />
      <SwitchField
        label="Never expires"
        checked={expiresOn === null}
        onChange={(never) => form.setFieldValue('expiresOn', never ? null : addDays(getBusinessDay(), A_YEAR))}
        {...(expiresOn === null && { hint: 'It stays valid until somebody revokes it, even if its owner leaves.' })}
      />
      {expiresOn !== null && (
        <DateField
          label={labels.expiresOn}
          required
          min={getBusinessDay()}
          getToday={getBusinessDay}
          hint="It stops at the end of this day."
          value={expiresOn}
          error={form.errors.expiresOn}
          onChange={(day) => form.setFieldValue('expiresOn', day)}
        />
      )}
    </FormModal>
  )
}
