import { type RawBuilder, sql } from 'kysely'

type Table = 'features' | 'locations' | 'pods' | 'staff' | 'users'

/**
 * Returns the condition that a row has the status that the list is filtered by; deleted rows only when asked for. The
 * query must use the table under its own name.
 */
export function hasStatus(table: Table, status: 'active' | 'blocked' | 'deleted' | undefined): RawBuilder<boolean> {
  const deletedAt = sql.ref(`${table}.deleted_at`)
  if (status === 'deleted') return sql`${deletedAt} is not null`
  if (status === undefined) return sql`${deletedAt} is null`
  return sql`(${deletedAt} is null and ${sql.ref(`${table}.is_blocked`)} = ${sql.lit(status === 'blocked')})`
}
