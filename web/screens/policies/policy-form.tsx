import { SETTINGS_ID } from '#contract/audit-entities.ts'
import type { BookingPolicy } from '#contract/booking-policy.ts'
import { submit } from '#web/api/check-body.ts'
import { toPolicyText } from '#web/components/policy-words.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { PolicyFields } from './policy-fields.tsx'
import { policyPaths, toPolicy, toPolicyBody, toPolicyValues, toStoredPolicy } from './policy-values.ts'

const toValues = (policy: BookingPolicy) => ({ cancelPolicy: toPolicyValues(policy.cancelPolicy) })

/** Edits the cancellation policy of all locations that have none of their own. */
export function PolicyForm({ policy, onClose }: { policy: BookingPolicy; onClose: () => void }) {
  const { form, modal } = useFormDialog({
    initialValues: toValues(policy),
    edits: { entity: 'policy', id: SETTINGS_ID },
    edited: {
      record: policy,
      toValues,
      toStored: ({ cancelPolicy }) => ({ cancelPolicy: toStoredPolicy(cancelPolicy) }),
      labels: { cancelPolicy: 'Cancellation policy' },
      show: (_, { cancelPolicy }) => {
        const whole = toPolicy(cancelPolicy)
        return whole && toPolicyText(whole)
      },
    },
    save: ({ cancelPolicy }, version = policy.version) =>
      submit('bookingActions', 'setPolicy', { version, body: { cancelPolicy: toPolicyBody(cancelPolicy) } }),
    success: 'Cancellation policy saved',
    domain: 'bookingActions',
    otherFields: policyPaths,
    onClose,
  })
  return (
    <FormModal title="Cancellation policy for all" submitLabel="Save policy" {...modal}>
      <PolicyFields
        value={form.values.cancelPolicy}
        onChange={(value) => form.setFieldValue('cancelPolicy', value)}
        errors={form.errors}
      />
    </FormModal>
  )
}
