import { useMemo } from 'react'
import { type SetUrl, type UrlParams, useUrlState } from '#web/lib/url-state.ts'

/** The state that a list screen keeps in the URL, and how to change it. The same object until the URL changes. */
export type ListState<V> = {
  values: V
  setUrl: SetUrl<V>
  /** Sets one value from its text, as a select gives it. */
  setText: (name: keyof V & string, text: string) => void
  /** Clears the search and every filter. */
  clear: () => void
  /** Number of filters that are set, not counting the search. */
  setCount: number
  /** Whether the search or a filter narrows the list. */
  isFiltered: boolean
}

type Change<V> = Parameters<SetUrl<V>>[0]

/** Parameters that arrange a list without filtering it. */
const arranging = new Set(['page', 'size', 'sort'])

export function useListState<V extends object>(params: UrlParams<V>): ListState<V> {
  const [values, setUrl] = useUrlState(params)
  return useMemo(() => {
    const narrowing = Object.keys(params).filter((name) => !arranging.has(name)) as (keyof V)[] // the keys of V
    const set = narrowing.filter((name) => Boolean(values[name]))
    return {
      values,
      setUrl,
      // The casts are safe: both objects have only keys of V, with values of their types.
      setText: (name, text) => setUrl({ [name]: params[name].parse(text) } as Change<V>),
      clear: () => setUrl(Object.fromEntries(narrowing.map((name) => [name, undefined])) as Change<V>),
      setCount: set.filter((name) => name !== 'search').length,
      isFiltered: set.length > 0,
    }
  }, [params, values, setUrl])
}
