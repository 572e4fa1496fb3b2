import { useState } from 'react'
import { type CancelPolicy, quoteRefund } from '#contract/cancel-policy.ts'
import { HOUR } from '#contract/durations.ts'
import { toMoneyText } from '#contract/money.ts'
import { toHoursText } from '#web/components/policy-words.ts'
import { FieldRow } from '#web/ui/form-modal/form-modal.tsx'
import { NumberField } from '#web/ui/number-field/number-field.tsx'
import styles from './policies.module.css'

/** Calculates an example of what a policy gives back. `policy` is undefined while a field is not a number. */
export function RefundExample({ policy }: { policy: CancelPolicy | undefined }) {
  const [hours, setHours] = useState<number | string>(5)
  const [paid, setPaid] = useState<number | string>(400)
  return (
    <section className={styles.example} aria-label="For example">
      <FieldRow>
        <NumberField label="Cancelled before the start" min={0} suffix=" h" value={hours} onChange={setHours} />
        <NumberField label="Paid" min={0} decimalScale={2} suffix=" ZAR" value={paid} onChange={setPaid} />
      </FieldRow>
      <output className={styles.back}>{toExampleText(policy, hours, paid)}</output>
    </section>
  )
}

/** Returns 'Cancelled 5 hours before, R 400.00 paid: R 320.00 back'. */
function toExampleText(policy: CancelPolicy | undefined, hours: number | string, paid: number | string): string {
  if (!policy || typeof hours !== 'number' || typeof paid !== 'number') {
    return 'Fill in every number to see what is given back.'
  }
  const { amount } = quoteRefund(policy, { paid, refunded: 0, balanceDue: 0 }, new Date(hours * HOUR), new Date(0))
  return `Cancelled ${toHoursText(hours)} before, ${toMoneyText(paid)} paid: ${toMoneyText(amount)} back`
}
