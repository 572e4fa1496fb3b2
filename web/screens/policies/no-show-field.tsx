import type { FieldProps } from '#web/ui/field/field-frame.tsx'
import { NumberField } from '#web/ui/number-field/number-field.tsx'

/** The minutes after which a customer who has not come is a no-show. */
export function NoShowField(props: Omit<FieldProps<number | string>, 'label'>) {
  return (
    <NumberField
      label="No-show by the clock"
      hint="After this many minutes, a booking that nobody has come for is a no-show, and its time is free again. Empty: never."
      min={5}
      decimalScale={0}
      suffix=" minutes"
      placeholder="Off"
      {...props}
    />
  )
}
