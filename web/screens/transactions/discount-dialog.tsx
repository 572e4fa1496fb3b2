import { useQuery, useQueryClient } from '@tanstack/react-query'
import { SETTINGS_ID } from '#contract/audit-entities.ts'
import { toAmount, toAmountText } from '#contract/money.ts'
import { submit } from '#web/api/check-body.ts'
import { apiQuery } from '#web/api/query.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { TextField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import styles from './pricing-dialog.module.css'
import { findDiscountProblem, parseDiscount, toEdited } from './pricing-values.ts'

/** Dialog 'Manage discount' (rules §10.5). Shows the worth of the minutes while they are typed. */
export function DiscountDialog({ onClose }: { onClose: () => void }) {
  const discount = useQuery(apiQuery('pricing', 'getDiscount'))
  const rate = useQuery(apiQuery('pricing', 'getRate'))
  const queryClient = useQueryClient()
  const { form, modal } = useFormDialog({
    initialValues: { discount: '' },
    edits: { entity: 'settings', id: SETTINGS_ID },
    edited: toEdited(discount.data, ({ discount: value }) => ({ discount: String(value) }), { discount: 'Discount' }),
    save: ({ discount: typed }, version) => {
      const body = { discount: parseDiscount(typed) ?? typed }
      return submit('pricing', 'setDiscount', { version, body }, { discount: findDiscountProblem(typed) })
    },
    // Refetches the value for the next time the dialog is opened.
    onSaved: () => queryClient.invalidateQueries({ queryKey: ['pricing'] }),
    onClose,
  })
  const current = discount.data?.data.discount
  const perMinute = rate.data?.data.rate
  const minutes = parseDiscount(form.values.discount) ?? current

  return (
    <FormModal title="Manage discount" width={400} submitLabel="Submit" {...modal}>
      <p>Please enter the Minutes of discount.</p>
      {discount.error || rate.error ? (
        <p className={styles.current}>The current discount could not be loaded. You can still set a new one.</p>
      ) : (
        <p className={styles.current} aria-live="polite" aria-atomic>
          Current discount: {current ?? '…'} minutes
          <br />
          {minutes ?? '…'} minutes × {perMinute ?? '…'} ={' '}
          <strong>
            {minutes === undefined || perMinute === undefined ? '…' : toAmountText(toAmount(minutes, perMinute))} ZAR
          </strong>
        </p>
      )}
      <TextField label="Discount" hint="Minutes" required inputMode="numeric" {...form.getInputProps('discount')} />
    </FormModal>
  )
}
