import { useLocationLookup } from '#web/components/use-location-lookup.ts'
import type { FieldProps } from '#web/ui/field/field-frame.tsx'
import { LookupField, type LookupOption, MultiLookupField } from '#web/ui/lookup-field/lookup-field.tsx'
import { useFeatureLookup } from './use-feature-lookup.ts'

/** The pod form's fields that search on the server. As separate components, each rerenders alone while it loads. */

/** Options by id, for the labels of current and earlier choices. */
export type KnownOptions = Map<string, LookupOption>

export function LocationField({ known, onChange, ...props }: FieldProps<string | null> & { known: KnownOptions }) {
  const lookup = useLocationLookup()
  return (
    <LookupField
      {...props}
      placeholder="Choose a location"
      lookup={lookup}
      selected={known.get(props.value ?? '')}
      onChange={(id) => {
        remember(known, lookup.options)
        onChange?.(id)
      }}
    />
  )
}

export function FeaturesField({ known, onChange, ...props }: FieldProps<string[]> & { known: KnownOptions }) {
  const lookup = useFeatureLookup()
  const chosen = (props.value ?? []).flatMap((id) => known.get(id) ?? [])
  return (
    <MultiLookupField
      {...props}
      placeholder={chosen.length === 0 ? 'Choose what the pod offers' : ''}
      lookup={lookup}
      selected={chosen}
      onChange={(ids) => {
        remember(known, lookup.options)
        onChange?.(ids)
      }}
    />
  )
}

export function remember(known: KnownOptions, options: readonly LookupOption[]): KnownOptions {
  for (const option of options) known.set(option.value, option)
  return known
}
