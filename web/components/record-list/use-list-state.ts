import { useMemo } from 'react'
import { type SetUrl, type UrlParams, useUrlState } from '#web/lib/url-state.ts'

/** What a list screen keeps in the URL, and what can be done to it. The same object until the URL changes. */
export type ListState<V> = {
  values: V
  setUrl: SetUrl<V>
  /** Sets one value from its text, as a select gives it. */
  setText: (name: keyof V & string, text: string) => void
  /** Empties the search and every filter. */
  clear: () => void
  /** How many filters are set, the search aside. */
  setCount: number
  /** Whether the search or a filter narrows the list. */
  isFiltered: boolean
}

type Change<V> = Parameters<SetUrl<V>>[0]

/** These arrange a list and narrow nothing. */
const arranging = new Set(['page', 'size', 'sort'])

export function useListState<V extends object>(params: UrlParams<V>): ListState<V> {
  const [values, setUrl] = useUrlState(params)
  return useMemo(() => {
    const narrowing = Object.keys(params).filter((name) => !arranging.has(name)) as (keyof V)[] // the keys of V
    const set = narrowing.filter((name) => Boolean(values[name]))
    return {
      values,
      setUrl,
      // Both from V's own keys, with values of their own.
      setText: (name, text) => setUrl({ [name]: params[name].parse(text) } as Change<V>),
      clear: () => setUrl(Object.fromEntries(narrowing.map((name) => [name, undefined])) as Change<V>),
      setCount: set.filter((name) => name !== 'search').length,
      isFiltered: set.length > 0,
    }
  }, [params, values, setUrl])
}
