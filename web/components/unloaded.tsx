import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { toProblem } from '#web/ui/problem.ts'
import { ErrorState } from '#web/ui/state-messages/state-messages.tsx'

type UnloadedProps = {
  query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>
  /** What failed. */
  title?: string
  /** Draws the failure as a card, for use directly on the page. */
  framed?: boolean
  /** Shown while it is loading. */
  children: ReactNode
}

/** Shown until a query has loaded: its skeleton, or why it failed. */
export function Unloaded({ query: { error, isFetching, refetch }, title, framed, children }: UnloadedProps) {
  if (!error) return children
  return (
    <ErrorState
      problem={toProblem(error)}
      onRetry={() => void refetch()}
      retrying={isFetching}
      {...(title !== undefined && { title })}
      {...(framed && { framed })}
    />
  )
}
