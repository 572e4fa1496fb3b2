import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { apiQuery } from '#web/api/query.ts'
import { toMoreText } from '#web/components/more-text.ts'
import { type Lookup, type LookupOption } from '#web/ui/lookup-field/lookup-field.tsx'
import { toProblem } from '#web/ui/problem.ts'

const LISTED = 100

/** Searches features in the order set by staff, without blocked ones (rules §5.3), once the field is first used. */
export function useFeatureLookup(): Lookup {
  const [search, setSearch] = useState('')
  const [isOpened, setOpened] = useState(false)
  const features = useQuery({
    ...apiQuery('features', 'list', { query: { page: 1, limit: LISTED, sort: 'order', status: 'active', search } }),
    enabled: isOpened,
    placeholderData: keepPreviousData,
  })
  const found = features.data?.data
  const total = features.data?.total ?? 0
  return {
    options: useMemo(() => (found ?? []).map(toFeatureOption), [found]),
    onSearch: setSearch,
    onOpen: () => setOpened(true),
    loading: features.isFetching,
    problem: features.error && toProblem(features.error),
    onRetry: () => void features.refetch(),
    nothingFound: 'No feature found',
    more: toMoreText(total, LISTED),
  }
}

/** Converts a feature to an option. Marks blocked ones, which only appear when already chosen for a pod. */
export function toFeatureOption(feature: { _id: string; name: string; isBlocked: boolean }): LookupOption {
  return { value: feature._id, label: feature.isBlocked ? `${feature.name} (blocked)` : feature.name }
}
