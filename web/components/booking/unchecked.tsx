import type { UseQueryResult } from '@tanstack/react-query'
import { toProblem } from '#web/ui/problem.ts'
import { Unloaded } from '../unloaded.tsx'
import styles from './booking.module.css'

/** Shown when a change could not be previewed: why it is not possible any more, or what failed, with Retry. */
export function Unchecked({ query }: { query: UseQueryResult }) {
  const { message, isRefusal } = toProblem(query.error)
  if (isRefusal) return <p className={styles.refused}>{message}</p>
  return <Unloaded query={query} title="The change could not be checked" />
}
