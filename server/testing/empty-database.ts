import { sql } from 'kysely'
import type { Db } from '../db/client.ts'
import { listTables } from '../db/tables.ts'

/**
 * Deletes rows instead of truncating: tests leave few rows, and TRUNCATE, which creates files, takes ten times as long.
 * In the role of a replica, which only a superuser may set, it runs no trigger and checks no foreign key.
 */
export async function emptyDatabase(db: Db): Promise<void> {
  const kept = listTables('record', 'setting', 'session').filter((table) => table !== 'pricing')
  const statements = [...kept, ...listTables('derived')].map((table) => `delete from ${table};`).join(' ')
  await sql
    .raw(
      `do $$ begin
         set local session_replication_role = replica;
         ${statements}
         set local session_replication_role = origin;
         update pricing set rate = 0, discount_minutes = 0, cancel_policy = default, cancel_reasons = default,
                            second_factor_required = default;
         insert into message_templates (kind, is_enabled)
         select kind, true from unnest(array['booked', 'moved', 'cancelled', 'reminder']) as kind;
       end $$`,
    )
    .execute(db)
}
