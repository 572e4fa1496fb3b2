import { sql } from 'kysely'
import type { Db } from '../db/client.ts'
import { listTables } from '../db/tables.ts'

/**
 * Deletes rows instead of truncating: tests leave few rows, and TRUNCATE, which creates files, takes ten times as long.
 */
export async function emptyDatabase(db: Db): Promise<void> {
  const kept = listTables('record', 'setting', 'session').filter((table) => table !== 'pricing')
  // Derived tables last, because emptying the others adds rows to them.
  const statements = [...kept.toReversed(), ...listTables('derived')].map((table) => `delete from ${table};`).join(' ')
  await sql
    .raw(
      `do $$ begin
         alter table audit disable trigger audit_append_only;
         ${statements}
         update pricing set rate = 0, discount_minutes = 0, cancel_policy = default, cancel_reasons = default,
                            second_factor_required = default;
         insert into message_templates (kind, is_enabled)
         select kind, true from unnest(array['booked', 'moved', 'cancelled', 'reminder']) as kind;
         alter table audit enable trigger audit_append_only;
       end $$`,
    )
    .execute(db)
}
