import { type RawBuilder, sql } from 'kysely'

type Table = 'features' | 'locations' | 'pods' | 'staff' | 'users'

/** That a row, in the query by its table's name, is of the status that a list is filtered by; deleted only on request. */
export function hasStatus(table: Table, status: 'active' | 'blocked' | 'deleted' | undefined): RawBuilder<boolean> {
  const deletedAt = sql.ref(`${table}.deleted_at`)
  if (status === 'deleted') return sql`${deletedAt} is not null`
  if (status === undefined) return sql`${deletedAt} is null`
  return sql`(${deletedAt} is null and ${sql.ref(`${table}.is_blocked`)} = ${sql.lit(status === 'blocked')})`
}
