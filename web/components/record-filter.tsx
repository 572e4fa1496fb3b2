import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { ApiError } from '#web/api/api-error.ts'
import type { ApiResponse, Domain } from '#web/api/request-types.ts'
import type { LookupOption } from '#web/ui/lookup-field/lookup-field.tsx'
import { LookupFilter } from '#web/ui/lookup-field/lookup-filter.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { useLookup } from './use-lookup.ts'

/** How a filter loads records of one kind. */
export type RecordSource<Row> = {
  domain: Domain
  list: (
    page: { page: number; limit: number; search: string },
    signal: AbortSignal,
  ) => Promise<ApiResponse<readonly Row[]>>
  get: (id: string, signal: AbortSignal) => Promise<ApiResponse<Row>>
  toOption: (row: Row) => LookupOption
}

const toPlural = (noun: string) => (noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`)

type RecordFilterProps<Row> = {
  /** In the singular: 'Pod'. */
  label: string
  /** In lower case, for labels whose plural is irregular. */
  plural?: string
  /** Must be a module constant, so that it is the same object in each render. */
  source: RecordSource<Row>
  /** An id, or '' for none. */
  value: string
  onChange: (id: string) => void
}

/** Filters a list by a record of another kind, searched on the server. Its choices are loaded once it is opened. */
export function RecordFilter<Row>({ label, plural, source, value, onChange }: RecordFilterProps<Row>) {
  const { domain, toOption } = source
  const noun = label.toLowerCase()
  const lookup = useLookup({
    toQuery: (page) =>
      queryOptions({
        queryKey: [domain, 'choices', page.search],
        queryFn: ({ signal }) => source.list(page, signal),
      }),
    toOptions: useCallback((rows: readonly Row[]) => rows.map(toOption), [toOption]),
    nothingFound: `No ${noun} found`,
  })
  const listed = lookup.options.find((option) => option.value === value)
  // A shared link has only the id: the name has to be loaded.
  const chosen = useQuery({
    queryKey: [domain, 'choice', value],
    queryFn: ({ signal }) => source.get(value, signal),
    enabled: value !== '' && listed === undefined,
    // Only its name is shown, and each search that does not list it would load it again.
    staleTime: 60_000,
  })
  const isUnknown = chosen.error instanceof ApiError && chosen.error.status === 404
  const isNameMissing = chosen.error !== null && !isUnknown && value !== ''

  function toSelected(): LookupOption | undefined {
    if (value === '') return undefined
    if (listed) return listed
    if (chosen.data) return toOption(chosen.data.data)
    // For example deleted. The list is still filtered by it, so the field must not look empty.
    return { value, label: chosen.isFetching ? 'Loading…' : `Unknown ${noun}` }
  }

  return (
    <LookupFilter
      label={label}
      placeholder={`All ${plural ?? toPlural(noun)}`}
      value={value}
      onChange={onChange}
      selected={toSelected()}
      lookup={{
        ...lookup,
        loading: lookup.loading || chosen.isFetching,
        ...(isNameMissing &&
          !lookup.problem && { problem: toProblem(chosen.error), onRetry: () => void chosen.refetch() }),
      }}
    />
  )
}
