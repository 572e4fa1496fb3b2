import { Migrator } from 'kysely'
import type { Db } from '../db/client.ts'
import { migrations } from '../db/migrations/index.ts'

/** Migrates an empty database to the state of an earlier release. */
export async function migrateTo(db: Db, name: string): Promise<void> {
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo(name)
  if (error !== undefined) throw error
}
