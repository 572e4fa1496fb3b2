import { sql } from 'kysely'
import { type Db } from '#server/db/client.ts'
import { toLikePattern } from '#server/db/ordered-list.ts'
import { isId } from '#server/ids.ts'
import { searched } from './users.repository.ts'

/** Past so many, a list of the customers that match costs more than looking each row's customer up. */
const MANY = 2_000

/** Whether so many customers match a list's search that its query has to be put another way; reads no more than it must. */
export async function matchesManyUsers(db: Db, search: string | undefined): Promise<boolean> {
  if (!search || isId(search)) return false
  const { rows } = await sql<{ many: boolean }>`
    select count(*) > ${sql.lit(MANY)} as many
      from (select from users where ${searched} ilike ${toLikePattern(search)} limit ${sql.lit(MANY + 1)}) as found
  `.execute(db)
  return rows[0]?.many === true
}
