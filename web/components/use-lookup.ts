import {
  keepPreviousData,
  type QueryFunction,
  type QueryKey,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { MAX_PAGE_SIZE } from '#contract/page-size.ts'
import type { ApiResponse } from '#web/api/request-types.ts'
import { toCountText } from '#web/lib/format.ts'
import { countWords } from '#web/lib/has-words.ts'
import type { Lookup, LookupOption } from '#web/ui/lookup-field/lookup-field.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { showFailedAction } from './failed-action.ts'

type LookupSource<Data, Key extends QueryKey, Option> = {
  /** Returns the query for the first matches of a search. */
  toQuery: (page: { page: number; limit: number; search: string }) => {
    queryKey: Key
    queryFn?: QueryFunction<ApiResponse<Data>, Key>
  }
  /** Must stay the same function. */
  toOptions: (data: Data) => readonly Option[]
  nothingFound: string
  /** The most options that are listed at once. */
  limit?: number
  /** Loads the first options at once, and not only when the field is opened. */
  loadsAtOnce?: boolean
  /** Offers to choose everything that a search has found, or all there is, up to `most`. */
  chooseAll?: { most: number; onChoose: (options: readonly Option[]) => void } | undefined
}

/**
 * Puts the options first whose label has most of what was typed: ‘pod 3’ finds a pod with three seats too. The others
 * stay in the order of the list.
 */
function byLabel<Option extends LookupOption>(options: readonly Option[], search: string): readonly Option[] {
  if (search === '') return options
  const scores = new Map(options.map((option) => [option, countWords(option.label, search)]))
  return options.toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0))
}

/** Searches records on the server, for the choices of a field. */
export function useLookup<Data, Key extends QueryKey, Option extends LookupOption>({
  toQuery,
  toOptions,
  nothingFound,
  limit = 50,
  loadsAtOnce = false,
  chooseAll,
}: LookupSource<Data, Key, Option>) {
  const [search, setSearch] = useState('')
  const [isOpened, setOpened] = useState(loadsAtOnce)
  const query = useQuery({
    ...toQuery({ page: 1, limit, search }),
    enabled: isOpened,
    placeholderData: keepPreviousData,
  })
  const data = query.data?.data
  const total = query.data?.total ?? 0
  const isAllOffered = !query.isPlaceholderData && total > 1
  const all = useChooseAll({ toQuery, toOptions, chooseAll }, isAllOffered ? { search, count: total } : undefined)
  return {
    options: useMemo(() => (data === undefined ? [] : byLabel(toOptions(data), search)), [data, toOptions, search]),
    onSearch: setSearch,
    onOpen: () => setOpened(true),
    loading: query.isFetching,
    problem: query.error && toProblem(query.error),
    onRetry: () => void query.refetch(),
    nothingFound,
    all,
    more: total > limit ? `${limit} of ${toCountText(total)}: type to find others` : undefined,
  } satisfies Lookup
}

/** What a search has found. */
type Found = { search: string; count: number }

/** Loads and chooses all that a search has found. Undefined where that is not offered, or would be too many. */
function useChooseAll<Data, Key extends QueryKey, Option extends LookupOption>(
  { toQuery, toOptions, chooseAll }: Pick<LookupSource<Data, Key, Option>, 'toQuery' | 'toOptions' | 'chooseAll'>,
  found: Found | undefined,
): Lookup['all'] {
  const client = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async ({ search, count }: Found) => {
      const pages = Array.from({ length: Math.ceil(count / MAX_PAGE_SIZE) }, (_, index) =>
        client.fetchQuery(toQuery({ page: index + 1, limit: MAX_PAGE_SIZE, search })),
      )
      return (await Promise.all(pages)).flatMap((page) => toOptions(page.data))
    },
    onSuccess: (options) => chooseAll?.onChoose(options),
    onError: (error, tried) => showFailedAction(error, () => mutate(tried)),
  })
  if (isPending) return { count: variables.count, isPending, choose: () => undefined }
  if (!chooseAll || !found || found.count > chooseAll.most) return undefined
  return { count: found.count, isPending, choose: () => mutate(found) }
}
