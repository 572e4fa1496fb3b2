import { type RawBuilder, sql } from 'kysely'
import { isId } from '#server/ids.ts'

/** Returns the condition that a column has an id. A malformed id filters everything out, like an unknown one. */
export function hasId(column: RawBuilder<unknown>, id: string | undefined): RawBuilder<boolean> {
  return id !== undefined && isId(id) ? sql`${column} = ${id}` : sql`false`
}
