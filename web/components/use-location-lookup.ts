import { apiQuery } from '#web/api/query.ts'
import type { LookupOption } from '#web/ui/lookup-field/lookup-field.tsx'
import { useLookup } from './use-lookup.ts'

type LocationWords = { _id: string; name: string; city: string; state: string; isBlocked: boolean }

/** Searches locations that are not blocked (rules §5.3). */
export function useLocationLookup() {
  return useLookup({
    toQuery: (page) => apiQuery('locations', 'list', { query: { ...page, sort: 'name', status: 'active' } }),
    toOptions: toLocationOptions,
    nothingFound: 'No location found. Locations are added on their own screen.',
  })
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
