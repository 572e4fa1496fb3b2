import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { isDay } from './days.ts'

/** How one value is stored in the URL. `format` returns undefined for the default, which is left out of the URL. */
export type UrlParam<T> = { parse: (text: string | undefined) => T; format: (value: T) => string | undefined }

/** A page number, starting at 1; anything else in the URL is read as 1. */
export function pageParam(): UrlParam<number> {
  return {
    parse: (text) => (text !== undefined && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1),
    format: (page) => (page === 1 ? undefined : String(page)),
  }
}

export function textParam(): UrlParam<string> {
  return { parse: (text) => (text ?? '').slice(0, 200), format: (text) => text || undefined }
}

/** A day, 'YYYY-MM-DD', or '' for none; anything else in the URL is read as ''. */
export function dayParam(): UrlParam<string> {
  return { parse: (text = '') => (isDay(text) ? text : ''), format: (day) => day || undefined }
}

/** One of the given texts; anything else in the URL is read as undefined. */
export function choiceParam<const T extends string>(choices: readonly T[]): UrlParam<T | undefined> {
  return { parse: (text) => choices.find((choice) => choice === text), format: (choice) => choice }
}

/** One of the given texts, such as a sort; anything else in the URL is read as the fallback. */
export function choiceParamOr<const T extends string>(choices: readonly T[], fallback: NoInfer<T>): UrlParam<T> {
  return {
    parse: (text) => choices.find((choice) => choice === text) ?? fallback,
    format: (choice) => (choice === fallback ? undefined : choice),
  }
}

export type UrlParams<V> = { [K in keyof V]: UrlParam<V[K]> }

export type SetUrl<V> = (change: Partial<{ [K in keyof V]: V[K] | undefined }>, options?: SetOptions) => void

type SetOptions = {
  /** Replaces the history entry instead of adding one, for text while it is typed. */
  replace?: boolean
  /** Leaves the screen where it is scrolled to, for what changes only a part of it. */
  keepScroll?: boolean
}

/**
 * State in the URL, which Back, a reload and a shared link restore. `params` must be a module constant, so that it
 * stays the same object:
 *
 *     const params = { page: pageParam(), status: choiceParam(['active', 'blocked']), search: textParam() }
 *     const [{ page, status, search }, setUrl] = useUrlState(params)
 *     setUrl({ status: 'active' })
 *
 * A change that does not name `page` resets it to 1. Parameters that are not in `params` stay as they are.
 */
export function useUrlState<V extends object>(params: UrlParams<V>): [V, SetUrl<V>] {
  // The router is set up to return plain strings on every screen (routes.tsx).
  const search: Record<string, string | undefined> = useSearch({ strict: false })
  const navigate = useNavigate()
  const values = useMemo(() => parseParams(params, search), [params, search])
  const set = useCallback<SetUrl<V>>(
    (change, { replace = false, keepScroll = false } = {}) => {
      const known = new Map(listParams(params))
      const complete = known.has('page') && !('page' in change) ? { page: 1, ...change } : change
      void navigate({
        to: '.',
        replace,
        resetScroll: !keepScroll,
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
  // V is inferred from these same keys and parsers.
  return Object.fromEntries(entries) as V
}

/** Lists the parameters. Their values have no type in common, hence `unknown`. */
function listParams<V>(params: UrlParams<V>): [string, UrlParam<unknown>][] {
  return Object.entries(params)
}
