import { sql } from 'kysely'
import type { Db } from '#server/db/client.ts'
import { listPartitions, makePartitions } from '#server/db/partitions.ts'

const MONTHS = 60
const BATCH_ROWS = 500_000
/** Ids like those of `createId`, from the row’s time; a single SQL expression, for speed. */
const ID = sql`(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 14))::uuid`
const CHANGED = {
  status: 'Confirmed',
  purpose: 'meeting',
  start_time: '2026-01-01T09:00:00+00:00',
  user_id: '019a0428-4cbf-7000-83bf-a8cc89b77ad5',
}

/** Creates a partition of the history for each month of five years. Call this before any change is written. */
export async function divideHistory(db: Db, now: Date): Promise<void> {
  await makePartitions(db, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS - 2)))
  await makePartitions(db, now)
}

/**
 * Fills the history as if the platform had been in use for five years, with the same number of changes in each month.
 * Four of five changes are of bookings, by customers, the server and staff. The indexes are created afterwards, and
 * triggers are disabled, so nobody is notified.
 */
export async function growHistory(db: Db, changes: number, now: Date): Promise<void> {
  const ended = (await listPartitions(db, 'audit')).flatMap(({ name, until }) => (until ? [{ name, until }] : []))
  const months = ended
    .map(({ name, until }, index) => ({ name, until: until < now ? until : now, from: ended[index - 1]?.until }))
    .filter((month): month is Month => month.from !== undefined && month.from < now)
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes where tablename = 'audit'`.execute(db)
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`set synchronous_commit = off`.execute(connection)
    await sql`set maintenance_work_mem = '512MB'`.execute(connection)
    for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(connection)
    for (const [index, month] of months.entries()) {
      await sql`alter table ${sql.table(month.name)} disable trigger user, drop constraint ${sql.id(`${month.name}_pkey`)}`.execute(
        connection,
      )
      await fillMonth(connection, month, Math.floor(changes / months.length))
      await sql`alter table ${sql.table(month.name)} enable trigger user, add primary key (id)`.execute(connection)
      if (index % 12 === 11) process.stdout.write(`  history: ${index + 1} of ${months.length} months\n`)
    }
    // The definitions say `ON ONLY`, which would create no indexes on the partitions.
    for (const { definition } of indexes) await sql.raw(definition.replace(' ON ONLY ', ' ON ')).execute(connection)
    await sql`reset all`.execute(connection)
  })
}

/**
 * Vacuums the history, so that index-only scans need not read the table, as autovacuum does on a platform in use.
 * Vacuum has no effect while the bookings are being filled, so call this afterwards.
 */
export async function vacuumHistory(db: Db): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`vacuum audit`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}

type Month = { name: string; from: Date; until: Date }

async function fillMonth(db: Db, { name, from, until }: Month, rows: number): Promise<void> {
  const step = (until.getTime() - from.getTime()) / rows / 1000
  for (let begun = 0; begun < rows; begun += BATCH_ROWS) {
    await sql`
      with people as materialized (
        select array(select id from staff order by id limit 50) as staff,
               array(select id from users order by id limit 2000) as users,
               array(select id from pods order by id limit 500) as pods
      ), kinds as materialized (
        select array['create', 'advance', 'edit', 'move', 'cancel', 'check-in'] as actions,
               '{"status": "Pending"}'::jsonb as before, ${JSON.stringify(CHANGED)}::jsonb as after
      ), made as (
        select n, ${from}::timestamptz + make_interval(secs => n * ${step}::float8) as at, hashint8(n) & 2147483647 as h
          from generate_series(${begun}::bigint, ${Math.min(rows, begun + BATCH_ROWS) - 1}::bigint) as n
      )
      insert into ${sql.table(name)} (id, at, actor_kind, actor_id, address, action, entity, entity_id, label, version, before, after)
      select ${ID}, at, case when h % 5 < 2 then 'customer' when h % 5 = 2 then 'system' else 'staff' end,
             case when h % 5 < 2 then users[1 + h / 7 % cardinality(users)]
                  when h % 5 > 2 then staff[1 + h / 7 % cardinality(staff)] end,
             '203.0.113.' || h % 250,
             case when h % 50 < 40 then actions[1 + h / 50 % 6] when h % 100000 = 49 then 'restore' else 'edit' end,
             case when h % 50 < 40 then 'booking' when h % 50 < 45 then 'transaction' when h % 50 < 48 then 'customer' else 'pod' end,
             case when h % 50 < 48 then md5(${name} || n / 5)::uuid else pods[1 + h / 50 % cardinality(pods)] end,
             'A record of the benchmark', 1 + n % 5, before, after
        from made, people, kinds`.execute(db)
  }
}
