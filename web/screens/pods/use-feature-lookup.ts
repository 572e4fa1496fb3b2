import { apiQuery } from '#web/api/query.ts'
import { useLookup } from '#web/components/use-lookup.ts'
import type { LookupOption } from '#web/ui/lookup-field/lookup-field.tsx'

type FeatureWords = { _id: string; name: string; isBlocked: boolean }

/** Searches features in the order set by staff, without blocked ones (rules §5.3). */
export function useFeatureLookup() {
  return useLookup({
    toQuery: (page) => apiQuery('features', 'list', { query: { ...page, sort: 'order', status: 'active' } }),
    toOptions: toFeatureOptions,
    nothingFound: 'No feature found. Features are created on their own screen.',
    limit: 100,
  })
}

function toFeatureOptions(features: readonly FeatureWords[]): LookupOption[] {
  return features.map(toFeatureOption)
}

/** Converts a feature to an option. Marks blocked ones, which only appear when already chosen for a pod. */
export function toFeatureOption({ _id, name, isBlocked }: FeatureWords): LookupOption {
  return { value: _id, label: isBlocked ? `${name} (blocked)` : name }
}
