import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#web/api/client.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { apiQuery } from '#web/api/query.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { useForm } from '#web/ui/form.ts'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { showSuccess } from '#web/ui/toasts/toasts.ts'
import styles from './pricing-dialog.module.css'
import { findRateProblem, parseRate } from './pricing-values.ts'

/** Dialog 'Manage Rate' (rules §10.4). It stays open, with what was typed, until the rate is saved. */
export function RateDialog({ onClose }: { onClose: () => void }) {
  const rate = useQuery(apiQuery('pricing', 'getRate'))
  const queryClient = useQueryClient()
  const form = useForm({ mode: 'controlled', initialValues: { rate: '' }, validate: { rate: findRateProblem } })
  const save = useMutation({
    mutationFn: (text: string) => api('pricing', 'setRate', { body: { rate: parseRate(text) ?? text } }),
    onSuccess: async ({ data }) => {
      await queryClient.invalidateQueries({ queryKey: ['pricing'] })
      showSuccess(data.message)
      onClose()
    },
    onError: (error) => form.setErrors(toFormErrors(error, ['rate']).fields),
  })
  const summary = save.error && toFormErrors(save.error, ['rate']).summary

  return (
    <FormModal
      title="Manage Rate"
      width={400}
      submitLabel="Submit"
      dirty={form.isDirty()}
      pending={save.isPending}
      problem={summary ? { ...toProblem(save.error), message: summary } : null}
      onSubmit={form.onSubmit((values) => save.mutate(values.rate))}
      onClose={onClose}
    >
      <p>Please enter the rate and status.</p>
      <p className={styles.current}>
        {rate.error
          ? 'The current base price could not be loaded. You can still set a new one.'
          : `Your current Base price is ${rate.data?.data.rate ?? '…'} ZAR.`}
      </p>
      <TextField label="Rate" hint="ZAR a minute" required inputMode="decimal" {...form.getInputProps('rate')} />
    </FormModal>
  )
}
