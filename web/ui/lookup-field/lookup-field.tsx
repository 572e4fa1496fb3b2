import type { ReactNode } from 'react'
import type { FieldProps } from '../field/field-frame.tsx'
import type { Problem } from '../problem.ts'
import { RestingLookup, useAwakening } from './lookup-field-rest.tsx'

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

/** One of more choices than a list should load: what is typed is searched elsewhere. */
export function LookupField(props: LookupFieldProps) {
  // Only the whole field can be emptied by a click.
  const { box, inner, awakened, rest } = useAwakening(props.clearable === true && Boolean(props.value), props.lookup)
  return (
    <div ref={box}>
      {inner ? (
        <inner.LookupInner {...props} {...awakened} />
      ) : (
        <RestingLookup {...toRestingProps(props)} {...rest} chosen={props.selected?.label} />
      )}
    </div>
  )
}

/** Several of them, shown as pills. */
export function MultiLookupField(props: MultiLookupFieldProps) {
  const { box, inner, awakened, rest } = useAwakening(false, props.lookup)
  const values = props.selected.map((option) => option.value)
  return (
    <div ref={box}>
      {inner ? (
        <inner.MultiLookupInner {...props} {...awakened} />
      ) : (
        <RestingLookup
          {...toRestingProps(props)}
          {...rest}
          pills={props.selected}
          onRemove={(removed) => props.onChange?.(values.filter((value) => value !== removed))}
        />
      )}
    </div>
  )
}

function toRestingProps<Props extends LookupFieldProps | MultiLookupFieldProps>(props: Props) {
  const { value: _, onChange: __, selected: ___, ...rest } = props
  return rest
}
