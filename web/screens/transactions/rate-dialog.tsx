import { useQuery, useQueryClient } from '@tanstack/react-query'
import { SETTINGS_ID } from '#contract/audit-entities.ts'
import { submit } from '#web/api/check-body.ts'
import { apiQuery } from '#web/api/query.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import styles from './pricing-dialog.module.css'
import { findRateProblem, parseRate, toEdited } from './pricing-values.ts'

/** Dialog 'Manage Rate' (rules §10.4). Stays open, with its input, until the rate is saved. */
export function RateDialog({ onClose }: { onClose: () => void }) {
  const rate = useQuery(apiQuery('pricing', 'getRate'))
  const queryClient = useQueryClient()
  const { form, modal } = useFormDialog({
    initialValues: { rate: '' },
    edits: { entity: 'settings', id: SETTINGS_ID },
    edited: toEdited(rate.data, ({ rate: value }) => ({ rate: String(value) }), { rate: 'Rate' }),
    save: ({ rate: typed }, version) => {
      const body = { rate: parseRate(typed) ?? typed }
      return submit('pricing', 'setRate', { version, body }, { rate: findRateProblem(typed) })
    },
    // Refetches the value for the next time the dialog is opened.
    onSaved: () => queryClient.invalidateQueries({ queryKey: ['pricing'] }),
    onClose,
  })

  return (
    <FormModal title="Manage Rate" width={400} submitLabel="Submit" {...modal}>
      <p>Please enter the rate and status.</p>
      <p className={styles.current}>
        {rate.error
          ? 'The current base price could not be loaded. You can still set a new one.'
          : `Your current Base price is ${rate.data?.data.rate ?? '…'} ZAR.`}
      </p>
      <TextField
        label="Rate"
        hint="ZAR a minute. Pods keep the rates that they have."
        required
        inputMode="decimal"
        {...form.getInputProps('rate')}
      />
    </FormModal>
  )
}
