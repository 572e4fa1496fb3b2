import { type KnownOptions, remember } from '#web/components/known-options.ts'
import type { FieldProps } from '#web/ui/field/field-frame.tsx'
import { MultiLookupField } from '#web/ui/lookup-field/lookup-field.tsx'
import { useFeatureLookup } from './use-feature-lookup.ts'

/** Field for the features of a pod, searched on the server. It rerenders alone while it loads. */
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
