import { useState } from 'react'
import type { Pod } from '#contract/pods.ts'
import { toLocationOption, useLocationLookup } from '#web/components/use-location-lookup.ts'
import type { FieldProps } from '#web/ui/field/field-frame.tsx'
import { LookupField, MultiLookupField } from '#web/ui/lookup-field/lookup-field.tsx'
import { toFeatureOption, useFeatureLookup } from './use-feature-lookup.ts'

/** The pod form's choices that are searched on the server: each draws itself alone anew while it loads. */

type LocationFieldProps = FieldProps<string | null> & { current: Pod['location'] | undefined }

export function LocationField({ current, onChange, ...props }: LocationFieldProps) {
  const lookup = useLocationLookup()
  const [chosen, setChosen] = useState(current && toLocationOption(current))
  return (
    <LookupField
      {...props}
      placeholder="Choose a location"
      lookup={lookup}
      selected={chosen}
      onChange={(id) => {
        setChosen(lookup.options.find((option) => option.value === id) ?? chosen)
        onChange?.(id)
      }}
    />
  )
}

type FeaturesFieldProps = FieldProps<string[]> & { current: Pod['features'] }

export function FeaturesField({ current, onChange, ...props }: FeaturesFieldProps) {
  const lookup = useFeatureLookup()
  const [chosen, setChosen] = useState(() => current.map(toFeatureOption))
  return (
    <MultiLookupField
      {...props}
      placeholder={chosen.length === 0 ? 'Choose what the pod offers' : ''}
      lookup={lookup}
      selected={chosen}
      onChange={(ids) => {
        const known = [...chosen, ...lookup.options]
        setChosen(ids.flatMap((id) => known.find((option) => option.value === id) ?? []))
        onChange?.(ids)
      }}
    />
  )
}
