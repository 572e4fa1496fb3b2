import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { apiQuery } from '#web/api/query.ts'
import { toMoreText } from '#web/components/more-text.ts'
import type { Lookup, LookupOption } from '#web/ui/lookup-field/lookup-field.tsx'
import { toProblem } from '#web/ui/problem.ts'

const LISTED = 50

/** Searches pods by title on the server. Chosen pods keep their names while the results of another search are shown. */
export function usePodChoices(known: readonly LookupOption[]): {
  lookup: Lookup
  toOptions: (ids: readonly string[]) => LookupOption[]
} {
  const [search, setSearch] = useState('')
  const [isOpened, setOpened] = useState(false)
  const names = useRef(new Map(known.map((option) => [option.value, option])))
  const list = useQuery({
    ...apiQuery('pods', 'list', { query: { page: 1, limit: LISTED, sort: 'title', status: undefined, search } }),
    enabled: isOpened,
    placeholderData: keepPreviousData,
  })
  const options = (list.data?.data ?? []).map((pod) => ({
    value: pod._id,
    label: pod.title,
    detail: `${pod.location.name}, ${pod.location.city}`,
  }))
  return {
    toOptions: (ids) => {
      for (const option of options) names.current.set(option.value, option)
      return ids.flatMap((id) => names.current.get(id) ?? [])
    },
    lookup: {
      options,
      onSearch: setSearch,
      onOpen: () => setOpened(true),
      loading: list.isFetching,
      problem: list.error && toProblem(list.error),
      onRetry: () => void list.refetch(),
      nothingFound: 'No pod found',
      more: toMoreText(list.data?.total ?? 0, LISTED),
    },
  }
}
