import type { Db, Tx } from './client.ts'
import { hasCode } from './database-error.ts'
import { getScope, runInTransaction } from './database-scope.ts'

/** A deadlock, or two transactions that cannot be put in order: the loser may simply try again. */
const isRetryable = (error: unknown) => hasCode(error, '40P01') || hasCode(error, '40001')

/**
 * Runs the work in one transaction, which is undone when the work throws. A lost race (40P01, 40001) is run again
 * from the start, so the work must touch nothing but the database, and that only through `tx`.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const scope = getScope(db)
  return retryLostRace(() => db.transaction().execute((tx) => runInTransaction(scope, () => work(tx))))
}

const MOST_TRIES = 4
const PAUSE_MS = 20

/**
 * For a single statement, which is a transaction of its own and needs no other: run again when it lost a race, after a
 * pause of some length, so that whoever won gets on with what the loser has let go of.
 */
export async function retryLostRace<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (error) {
      if (!isRetryable(error) || tries === MOST_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, tries * PAUSE_MS * (1 + Math.random())))
    }
  }
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return hasCode(error, '23505') && isOfConstraint(error, constraint)
}

export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return hasCode(error, '23503') && isOfConstraint(error, constraint)
}

function isOfConstraint(error: unknown, constraint: string | undefined): boolean {
  if (constraint === undefined) return true
  return typeof error === 'object' && error !== null && 'constraint' in error && error.constraint === constraint
}
