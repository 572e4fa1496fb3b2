import { apiQuery } from '#web/api/query.ts'
import type { FieldProps } from '#web/ui/field/field-frame.tsx'
import { LookupField, type LookupOption } from '#web/ui/lookup-field/lookup-field.tsx'
import { type KnownOptions, remember } from './known-options.ts'
import { useLookup } from './use-lookup.ts'

type LocationWords = { _id: string; name: string; city: string; state: string; isBlocked: boolean }

/** Field for a location that is not blocked (rules §5.3), searched on the server. It rerenders alone while it loads. */
export function LocationField({ known, onChange, ...props }: FieldProps<string | null> & { known: KnownOptions }) {
  const lookup = useLookup({
    toQuery: (page) => apiQuery('locations', 'list', { query: { ...page, sort: 'name', status: 'active' } }),
    toOptions: toLocationOptions,
    nothingFound: 'No location found. Locations are added on their own screen.',
  })
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

function toLocationOptions({ data }: { data: readonly LocationWords[] }): LookupOption[] {
  return data.map(toLocationOption)
}

/** Marks a blocked location, which is shown only for an edited pod that already has it. */
export function toLocationOption(location: LocationWords): LookupOption {
  const city = `${location.city}, ${location.state}`
  return {
    value: location._id,
    label: location.name,
    detail: location.isBlocked ? `${city} · blocked` : city,
  }
}
