import { useRef } from 'react'
import type { Closure } from '#contract/closures.ts'
import type { Pod } from '#contract/pods.ts'
import { apiQuery } from '#web/api/query.ts'
import { useLookup } from '#web/components/use-lookup.ts'
import type { LookupOption } from '#web/ui/lookup-field/lookup-field.tsx'

/** Searches pods by title. Chosen pods keep their names while the results of another search are shown. */
export function usePodChoices(known: readonly LookupOption[]) {
  const names = useRef(new Map(known.map((option) => [option.value, option])))
  const lookup = useLookup({
    toQuery: (page) => apiQuery('pods', 'list', { query: { ...page, sort: 'title', status: undefined } }),
    toOptions: toPodOptions,
    nothingFound: 'No pod found',
  })
  return {
    lookup,
    toOptions: (ids: readonly string[]): LookupOption[] => {
      for (const option of lookup.options) names.current.set(option.value, option)
      return ids.flatMap((id) => names.current.get(id) ?? [])
    },
  }
}

/** Returns the pods of a list as options, told apart by their locations. */
export function toPodOptions(pods: readonly Pod[]): LookupOption[] {
  return pods.map(({ location, ...pod }) => toPodOption({ ...pod, locationName: location.name, city: location.city }))
}

export function toPodOption({ _id, title, locationName, city }: Closure['pods'][number]): LookupOption {
  return { value: _id, label: title, detail: `${locationName}, ${city}` }
}
