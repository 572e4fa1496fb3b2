import { lazy, Suspense } from 'react'
import type { FieldProps } from '../field/field-frame.tsx'
import { TextField } from '../field/fields.tsx'

export type SelectOption = { value: string; label: string; disabled?: boolean }

export type SelectFieldProps = FieldProps<string | null> & {
  options: readonly SelectOption[]
  clearable?: boolean
  nothingFound?: string
}

// The combobox and its positioning weigh 30 kB gzipped: they come when the first field of the kind is shown.
const LazySelect = lazy(() => import('./select-field-inner.tsx').then((module) => ({ default: module.SelectInner })))
function Waiting({ label, required = false, placeholder = '' }: FieldProps<never>) {
  return <TextField label={label} required={required} placeholder={placeholder} disabled />
}

/** One of many, found by typing. For a handful of fixed choices take NativeSelect. */
export function SelectField(props: SelectFieldProps) {
  const { value: _, onChange: __, ...rest } = props
  return (
    <Suspense fallback={<Waiting {...rest} />}>
      <LazySelect {...props} />
    </Suspense>
  )
}
