import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { toProblem } from '#web/ui/problem.ts'
import { ErrorState } from '#web/ui/state-messages/state-messages.tsx'

type UnloadedProps = {
  query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>
  /** What failed. */
  title?: string
  /** The failure stands on the page itself, as a card. */
  framed?: boolean
  /** What shows that it is loading. */
  children: ReactNode
}

/** In place of what a query has not loaded yet: its skeleton, or why it failed. */
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
