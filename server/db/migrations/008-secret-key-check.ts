import { type Kysely, sql } from 'kysely'

/**
 * Device passwords are sealed with SECRET_KEY and nothing reads them back, so a wrong key would go unnoticed until they
 * are needed. The server checks its key against this row when it starts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table secret_key_check (
      id smallint primary key default 1 check (id = 1),
      sealed text not null
    )`.execute(db)
}
