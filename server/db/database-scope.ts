import { AsyncLocalStorage } from 'node:async_hooks'
import type { ConnectionProvider, Kysely } from 'kysely'
import type { NamedPool } from './named-statements.ts'

/** What is known of a database beyond its queries; the same for a handle and for every transaction of it. */
export type DatabaseScope = {
  engine: 'embedded' | 'postgres'
  pool: NamedPool
  /** Where brief statements run (pipeline.ts). */
  pipeline: ConnectionProvider
}

const scopes = new WeakMap<object, DatabaseScope>()

/** The adapter is the one object that a Kysely instance shares with its transactions and plugged copies. */
export function registerScope<T>(db: Kysely<T>, scope: DatabaseScope): void {
  scopes.set(db.getExecutor().adapter, scope)
}

export function getScope<T>(db: Kysely<T>): DatabaseScope {
  const scope = scopes.get(db.getExecutor().adapter)
  if (scope === undefined) throw new Error('This database was not opened by openDatabase')
  return scope
}

/** Undefined for a handle that `openDatabase` has not made. */
export function findPipeline<T>(db: Kysely<T>): ConnectionProvider | undefined {
  return scopes.get(db.getExecutor().adapter)?.pipeline
}

type OpenTransaction = { scope: DatabaseScope; isOpen: boolean }

const openTransaction = new AsyncLocalStorage<OpenTransaction>()
let openTransactions = 0

export async function runInTransaction<T>(scope: DatabaseScope, work: () => Promise<T>): Promise<T> {
  const transaction = { scope, isOpen: true }
  openTransactions += 1
  try {
    return await openTransaction.run(transaction, work)
  } finally {
    transaction.isOpen = false
    openTransactions -= 1
    // While a storage is on, every promise of the process passes through its hooks.
    if (openTransactions === 0) openTransaction.disable()
  }
}

/**
 * Inside a transaction only its own handle may be used: a second connection would wait for ever on the embedded engine,
 * and on PostgreSQL too once every connection is waiting so. Better an error at once than a server that hangs later.
 */
export function requireNoTransaction(scope: DatabaseScope): void {
  const transaction = openTransaction.getStore()
  if (transaction?.isOpen && transaction.scope === scope) {
    throw new Error("A query was sent outside the transaction that is open here: use the transaction's own handle (tx)")
  }
}
