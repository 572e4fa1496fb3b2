import { sql } from 'kysely'
import type { Db } from '../db/client.ts'
import { listTables } from '../db/tables.ts'

/** Deletes rather than truncates: a test leaves a handful of rows, and new files for every table cost ten times as much. */
export async function emptyDatabase(db: Db): Promise<void> {
  const kept = listTables('record', 'setting', 'session').filter((table) => table !== 'pricing')
  // Derived ones last: emptying the others adds lines to them.
  const statements = [...kept.toReversed(), ...listTables('derived')].map((table) => `delete from ${table};`).join(' ')
  await sql.raw(`do $$ begin ${statements} update pricing set rate = 0, discount_minutes = 0; end $$`).execute(db)
}
