import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { apiQuery } from '#web/api/query.ts'
import { type Lookup, type LookupOption } from '#web/ui/lookup-field/lookup-field.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { toMoreText } from './more-text.ts'

const LISTED = 50

type LocationWords = { _id: string; name: string; city: string; state: string; isBlocked: boolean }

/** Searches locations that are not blocked (rules §5.3) on the server. Sends no request until the field is opened. */
export function useLocationLookup(): Lookup {
  const [search, setSearch] = useState('')
  const [isOpened, setOpened] = useState(false)
  const locations = useQuery({
    ...apiQuery('locations', 'list', { query: { page: 1, limit: LISTED, sort: 'name', status: 'active', search } }),
    enabled: isOpened,
    placeholderData: keepPreviousData,
  })
  const found = locations.data?.data.data
  const total = locations.data?.total ?? 0
  return {
    options: useMemo(() => (found ?? []).map(toLocationOption), [found]),
    onSearch: setSearch,
    onOpen: () => setOpened(true),
    loading: locations.isFetching,
    problem: locations.error && toProblem(locations.error),
    onRetry: () => void locations.refetch(),
    nothingFound: 'No location found',
    more: toMoreText(total, LISTED),
  }
}

/** Marks a blocked location, which is shown only for an edited pod that already has it. */
export function toLocationOption(location: LocationWords): LookupOption {
  const place = `${location.city}, ${location.state}`
  return {
    value: location._id,
    label: location.name,
    detail: location.isBlocked ? `${place} · blocked` : place,
  }
}
