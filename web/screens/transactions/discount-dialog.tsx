import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toDiscountedAmount } from '#contract/money.ts'
import { api } from '#web/api/client.ts'
import { toFormErrors } from '#web/api/form-errors.ts'
import { apiQuery } from '#web/api/query.ts'
import { toAmountText } from '#web/lib/format.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { useForm } from '#web/ui/form.ts'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { showSuccess } from '#web/ui/toasts/toasts.ts'
import styles from './pricing-dialog.module.css'
import { findDiscountProblem, parseDiscount } from './pricing-values.ts'

/** Dialog 'Manage discount' (rules §10.5), with what the minutes are worth as they are typed. */
export function DiscountDialog({ onClose }: { onClose: () => void }) {
  const discount = useQuery(apiQuery('pricing', 'getDiscount'))
  const rate = useQuery(apiQuery('pricing', 'getRate'))
  const queryClient = useQueryClient()
  const form = useForm({
    mode: 'controlled',
    initialValues: { discount: '' },
    validate: { discount: findDiscountProblem },
  })
  const save = useMutation({
    mutationFn: (text: string) => api('pricing', 'setDiscount', { body: { discount: parseDiscount(text) ?? text } }),
    onSuccess: async ({ data }) => {
      await queryClient.invalidateQueries({ queryKey: ['pricing'] })
      showSuccess(data.message)
      onClose()
    },
    onError: (error) => form.setErrors(toFormErrors(error, ['discount']).fields),
  })
  const summary = save.error && toFormErrors(save.error, ['discount']).summary
  const current = discount.data?.data.discount
  const perMinute = rate.data?.data.rate
  const minutes = parseDiscount(form.values.discount) ?? current

  return (
    <FormModal
      title="Manage discount"
      width={400}
      submitLabel="Submit"
      dirty={form.isDirty()}
      pending={save.isPending}
      problem={summary ? { ...toProblem(save.error), message: summary } : null}
      onSubmit={form.onSubmit((values) => save.mutate(values.discount))}
      onClose={onClose}
    >
      <p>Please enter the Minutes of discount.</p>
      {discount.error || rate.error ? (
        <p className={styles.current}>The current discount could not be loaded. You can still set a new one.</p>
      ) : (
        <p className={styles.current} aria-live="polite">
          Current discount: {current ?? '…'} minutes
          <br />
          {minutes ?? '…'} minutes × {perMinute ?? '…'} ={' '}
          <strong>
            {minutes === undefined || perMinute === undefined
              ? '…'
              : toAmountText(toDiscountedAmount(minutes, perMinute))}{' '}
            ZAR
          </strong>
        </p>
      )}
      <TextField label="Discount" hint="Minutes" required inputMode="numeric" {...form.getInputProps('discount')} />
    </FormModal>
  )
}
