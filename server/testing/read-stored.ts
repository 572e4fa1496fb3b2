import { sql } from 'kysely'
import type { Db } from '../db/client.ts'
import { listTables } from '../db/tables.ts'

const stored = listTables('record', 'setting', 'session').filter((table) => table !== 'login_attempts')

/** Returns a hash of each table, except for derived tables and `login_attempts`. */
export async function readStored(db: Db): Promise<Record<string, unknown>> {
  const parts = stored.map(
    (table) => `select '${table}' as name, md5(string_agg(t::text, '' order by t::text)) from ${table} t`,
  )
  const { rows } = await sql.raw<{ name: string; md5: string }>(parts.join(' union all ')).execute(db)
  return Object.fromEntries(rows.map(({ name, md5 }) => [name, md5]))
}
