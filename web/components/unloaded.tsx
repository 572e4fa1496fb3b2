import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { toProblem } from '#web/ui/problem.ts'
import { ErrorState } from '#web/ui/state-messages/state-messages.tsx'

type UnloadedProps = {
  query: Pick<UseQueryResult, 'data' | 'error' | 'isFetching' | 'refetch'>
  /** What failed. */
  title?: string
  /** Draws the failure as a card, for use directly on the page. */
  framed?: boolean
  /** Shown while nothing has failed: a skeleton until it has loaded. */
  children?: ReactNode
}

/** Shown until a query has loaded: its skeleton, or why it failed. Above what was loaded before, why that is all there is. */
export function Unloaded({ query: { data, error, isFetching, refetch }, title, framed, children }: UnloadedProps) {
  if (!error) return children
  return (
    <ErrorState
      problem={toProblem(error)}
      onRetry={() => void refetch()}
      retrying={isFetching}
      outdated={data !== undefined}
      {...(title !== undefined && { title })}
      {...(framed && { framed })}
    />
  )
}
