import type { LocationPolicy } from '#contract/booking-policy.ts'
import type { CancelPolicy } from '#contract/cancel-policy.ts'
import { submit } from '#web/api/check-body.ts'
import { toPolicyText } from '#web/components/policy-words.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { SwitchField } from '#web/ui/switch-field/switch-field.tsx'
import { NoShowField } from './no-show-field.tsx'
import styles from './policies.module.css'
import { PolicyFields } from './policy-fields.tsx'
import {
  type PolicyValues,
  policyPaths,
  toPolicy,
  toPolicyBody,
  toPolicyValues,
  toStoredPolicy,
} from './policy-values.ts'

type Values = { cancelPolicy: PolicyValues | null; noShowMinutes: number | string }

const toValues = ({ cancelPolicy, noShowMinutes }: LocationPolicy): Values => ({
  cancelPolicy: cancelPolicy && toPolicyValues(cancelPolicy),
  noShowMinutes: noShowMinutes ?? '',
})

type LocationPolicyFormProps = {
  location: LocationPolicy
  /** The policy that applies when the location has none of its own. */
  forAll: CancelPolicy
  onClose: () => void
}

/** Edits a location's own cancellation policy, and the minutes after which a booking counts as a no-show. */
export function LocationPolicyForm({ location, forAll, onClose }: LocationPolicyFormProps) {
  const { form, modal } = useFormDialog({
    initialValues: toValues(location),
    // Not `location`: people who hold this page may not hold the locations page.
    edits: { entity: 'policy', id: location._id },
    edited: {
      record: location,
      toValues,
      toStored: ({ cancelPolicy, noShowMinutes }) => ({
        cancelPolicy: cancelPolicy && toStoredPolicy(cancelPolicy),
        noShowMinutes,
      }),
      labels: { cancelPolicy: 'Cancellation policy', noShowMinutes: 'No-show after' },
      show: (name, { cancelPolicy, noShowMinutes }) => {
        if (name === 'noShowMinutes') return noShowMinutes === '' ? 'Off' : `${noShowMinutes} minutes`
        const whole = cancelPolicy && toPolicy(cancelPolicy)
        return cancelPolicy === null ? 'As for all' : whole && toPolicyText(whole)
      },
    },
    save: ({ cancelPolicy, noShowMinutes }, version = location.version) =>
      submit('bookingActions', 'setLocationPolicy', {
        params: { id: location._id },
        version,
        body: { cancelPolicy: cancelPolicy && toPolicyBody(cancelPolicy), noShowMinutes },
      }),
    success: `Policy of ${location.name} saved`,
    domain: 'bookingActions',
    otherFields: policyPaths,
    onClose,
  })
  const { cancelPolicy } = form.values
  return (
    <FormModal title={`Policy of ${location.name}`} submitLabel="Save policy" {...modal}>
      <SwitchField
        label="A cancellation policy of its own"
        checked={cancelPolicy !== null}
        onChange={(isOwn) => form.setFieldValue('cancelPolicy', isOwn ? toPolicyValues(forAll) : null)}
      />
      {cancelPolicy ? (
        <PolicyFields
          value={cancelPolicy}
          onChange={(value) => form.setFieldValue('cancelPolicy', value)}
          errors={form.errors}
        />
      ) : (
        <p className={styles.hint}>As for all: {toPolicyText(forAll)}.</p>
      )}
      <NoShowField {...form.getInputProps('noShowMinutes')} />
    </FormModal>
  )
}
