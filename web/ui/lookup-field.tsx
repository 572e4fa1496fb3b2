import { lazy, type ReactNode, Suspense } from 'react'
import { type FieldProps, TextField } from './fields.tsx'
import type { Problem } from './problem.ts'

export type LookupOption = {
  value: string
  label: string
  /** A second, quieter line. */
  detail?: string
  /** At the left of the words. */
  picture?: ReactNode
}

/** What the search over all choices has found so far. */
export type Lookup = {
  options: readonly LookupOption[]
  /** What is typed, when the fingers rest; '' when the list may begin from its beginning. */
  onSearch: (text: string) => void
  /** The choices come into sight: those who list them late do it now. */
  onOpen?: () => void
  loading?: boolean
  problem?: Problem | null | undefined
  onRetry?: () => void
  nothingFound?: string
  /** Over the options, when there are more than are listed: '50 of 2,000: type to find others'. */
  more?: string | undefined
}

export type LookupFieldProps = FieldProps<string | null> & {
  lookup: Lookup
  /** The chosen one, whose label is shown also when the search does not find it. */
  selected: LookupOption | undefined
  clearable?: boolean
}

export type MultiLookupFieldProps = FieldProps<string[]> & { lookup: Lookup; selected: readonly LookupOption[] }

// As in select-field.tsx: the combobox comes when the first field of the kind is shown.
const LazyLookup = lazy(() => import('./lookup-field-inner.tsx').then((module) => ({ default: module.LookupInner })))
const LazyMultiLookup = lazy(() =>
  import('./lookup-field-inner.tsx').then((module) => ({ default: module.MultiLookupInner })),
)

function Waiting({ label, required = false, placeholder = '' }: FieldProps<never>) {
  return <TextField label={label} required={required} placeholder={placeholder} disabled />
}

/** One of more choices than a list should load: what is typed is searched elsewhere. */
export function LookupField(props: LookupFieldProps) {
  const { value: _, onChange: __, ...rest } = props
  return (
    <Suspense fallback={<Waiting {...rest} />}>
      <LazyLookup {...props} />
    </Suspense>
  )
}

/** Several of them, shown as pills. */
export function MultiLookupField(props: MultiLookupFieldProps) {
  const { value: _, onChange: __, ...rest } = props
  return (
    <Suspense fallback={<Waiting {...rest} />}>
      <LazyMultiLookup {...props} />
    </Suspense>
  )
}
