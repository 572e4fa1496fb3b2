import { useRef } from 'react'
import { MAX_CLOSED_PODS } from '#contract/closure-limits.ts'
import { apiQuery } from '#web/api/query.ts'
import { toPodOptions } from '#web/components/pod-options.ts'
import { useLookup } from '#web/components/use-lookup.ts'
import type { LookupOption } from '#web/ui/lookup-field/lookup-field.tsx'

/**
 * Searches pods by title and location. Chosen pods keep their names while the results of another search are shown.
 * `onChooseAll` is called with the ids of all pods that a search has found.
 */
export function usePodChoices(known: readonly LookupOption[], onChooseAll: (ids: string[]) => void) {
  const names = useRef(new Map(known.map((option) => [option.value, option])))
  const lookup = useLookup({
    toQuery: (page) => apiQuery('pods', 'list', { query: { ...page, sort: 'title' } }),
    toOptions: toPodOptions,
    nothingFound: 'No pod found',
    chooseAll: {
      most: MAX_CLOSED_PODS,
      onChoose: (options) => {
        for (const option of options) names.current.set(option.value, option)
        onChooseAll(options.map(({ value }) => value))
      },
    },
  })
  return {
    lookup,
    toOptions: (ids: readonly string[]): LookupOption[] => {
      for (const option of lookup.options) names.current.set(option.value, option)
      return ids.flatMap((id) => names.current.get(id) ?? [])
    },
  }
}
