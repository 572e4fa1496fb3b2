import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db, Tx } from './client.ts'
import { hasCode } from './database-error.ts'

/** A deadlock or a serialisation failure: the transaction that lost may simply try again. */
const isRetryable = (error: unknown) => hasCode(error, '40P01') || hasCode(error, '40001')

const MAX_TRIES = 4
const PAUSE_MS = 20

/**
 * Runs the work in one transaction, which is rolled back when the work throws. After a lost race (40P01, 40001) the
 * work is run again from the start, so it must touch nothing but the database, and that only through `tx`. Given the
 * handle of an open transaction, the work becomes part of that one.
 */
export async function inTransaction<T>(db: Db | Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Tx) // isTransaction says so
  return retryLostRace(async () => {
    const mark: Mark = { isOpen: true, afterCommit: [] }
    const result = await db.transaction().execute((tx) => runMarked(mark, () => work(tx)))
    for (const run of mark.afterCommit) run()
    return result
  })
}

/**
 * Gives the work a context whose queries are all in one transaction. A response that is read in it shows what the request
 * has changed, even if somebody moves or deletes that as soon as it is committed.
 */
export function inOneTransaction<Context extends { db: Db; shortReads: Db }, T>(
  context: Context,
  work: (inTx: Context) => Promise<T>,
): Promise<T> {
  return inTransaction(context.db, (tx) => work({ ...context, db: tx, shortReads: tx }))
}

/**
 * Runs a single statement, which is a transaction of its own, and runs it again when it lost a race, after a random
 * pause in which the winner can go on with what the loser has released.
 */
export async function retryLostRace<T>(run: () => Promise<T>): Promise<T> {
  // An open transaction is lost as a whole and is retried as a whole.
  if (marks.getStore()?.isOpen) return run()
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (error) {
      if (!isRetryable(error) || tries === MAX_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, tries * PAUSE_MS * (1 + Math.random())))
    }
  }
}

type Mark = { isOpen: boolean; afterCommit: (() => void)[] }

const marks = new AsyncLocalStorage<Mark>()
let openTransactions = 0

async function runMarked<T>(mark: Mark, work: () => Promise<T>): Promise<T> {
  openTransactions += 1
  try {
    return await marks.run(mark, work)
  } finally {
    mark.isOpen = false
    openTransactions -= 1
    // An enabled AsyncLocalStorage adds its hooks to every promise in the process.
    if (openTransactions === 0) marks.disable()
  }
}

/**
 * Calls `run` once the transaction open here has committed, and never if it is rolled back; at once if none is open.
 */
export function afterCommit(run: () => void): void {
  const mark = marks.getStore()
  if (mark?.isOpen) mark.afterCommit.push(run)
  else run()
}

/**
 * Throws inside a transaction, where only its own handle may be used: a query on a second connection would wait for
 * ever on the embedded engine, and also on PostgreSQL once every connection is held by such a transaction. An error at
 * once is better than a server that hangs later.
 */
export function requireNoTransaction(): void {
  if (marks.getStore()?.isOpen) {
    throw new Error("A query was sent outside the transaction that is open here: use the transaction's own handle (tx)")
  }
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!hasCode(error, '23505')) return false
  return constraint === undefined || (error as { constraint?: string }).constraint === constraint // as the driver throws it
}
