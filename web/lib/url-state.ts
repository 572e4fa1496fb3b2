import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

/** How one thing is kept in the URL. What equals the default is left out of it. */
export type UrlParam<T> = { parse: (text: string | undefined) => T; format: (value: T) => string | undefined }

/** A page number from 1; anything else in the URL is 1. */
export function pageParam(): UrlParam<number> {
  return {
    parse: (text) => (text !== undefined && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1),
    format: (page) => (page === 1 ? undefined : String(page)),
  }
}

export function textParam(): UrlParam<string> {
  return { parse: (text) => (text ?? '').slice(0, 200), format: (text) => text || undefined }
}

/** One of the given texts, or undefined for none of them. */
export function choiceParam<const T extends string>(choices: readonly T[]): UrlParam<T | undefined> {
  return { parse: (text) => choices.find((choice) => choice === text), format: (choice) => choice }
}

/** One of the given texts, the fallback when none is in the URL: for a sort, say. */
export function choiceParamOr<const T extends string>(choices: readonly T[], fallback: NoInfer<T>): UrlParam<T> {
  return {
    parse: (text) => choices.find((choice) => choice === text) ?? fallback,
    format: (choice) => (choice === fallback ? undefined : choice),
  }
}

export type UrlParams<V> = { [K in keyof V]: UrlParam<V[K]> }

export type SetUrl<V> = (change: Partial<{ [K in keyof V]: V[K] | undefined }>, options?: SetOptions) => void

type SetOptions = {
  /** Instead of a new entry in the history: for text as it is typed. */
  replace?: boolean
}

/**
 * State that Back, a reload and a shared link restore. `params` is a module constant, so that it stays the same object:
 *
 *     const params = { page: pageParam(), status: choiceParam(['active', 'blocked']), search: textParam() }
 *     const [{ page, status, search }, setUrl] = useUrlState(params)
 *     setUrl({ status: 'active' })
 *
 * Whatever changes other than `page` leads to page 1. Parameters it does not know stay as they are.
 */
export function useUrlState<V extends object>(params: UrlParams<V>): [V, SetUrl<V>] {
  // The router is set up to give plain texts (routes.tsx), whatever the screen.
  const search = useSearch({ strict: false }) as Record<string, string | undefined>
  const navigate = useNavigate()
  const values = useMemo(() => parseParams(params, search), [params, search])
  const set = useCallback(
    (change: Partial<{ [K in keyof V]: V[K] | undefined }>, { replace = false }: SetOptions = {}) => {
      const known = new Map(listParams(params))
      const complete = known.has('page') && !('page' in change) ? { page: 1, ...change } : change
      void navigate({
        to: '.',
        replace,
        search: (before: Record<string, unknown>) => {
          const after = { ...before }
          for (const [name, value] of Object.entries(complete)) {
            after[name] = value === undefined ? undefined : known.get(name)?.format(value)
          }
          return after
        },
      })
    },
    [params, navigate],
  )
  return [values, set]
}

export function parseParams<V>(params: UrlParams<V>, search: Record<string, string | undefined>): V {
  const entries = listParams(params).map(([name, param]) => [name, param.parse(search[name])])
  // Built from the very keys and parsers that V is inferred from.
  return Object.fromEntries(entries) as V
}

/** Each value has its own parameter's type; as a list they have none in common. */
function listParams<V>(params: UrlParams<V>): [string, UrlParam<unknown>][] {
  return Object.entries(params)
}
