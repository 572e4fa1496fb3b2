import { sql } from 'kysely'
import type { Db, Tx } from './client.ts'
import { inTransaction } from './transaction.ts'

/**
 * Tables that only grow have a partition for each month (UTC), such as `audit_2026_12`. Rows before the first month are
 * in `audit_earlier`, rows after the last one in `audit_default` (docs/decisions/054).
 */
const timeColumns = { audit: 'at', webhook_deliveries: 'created_at' } as const
type PartitionedTable = keyof typeof timeColumns
export const partitionedTables = Object.keys(timeColumns) as PartitionedTable[] // the constant has no other keys

/** Partitions are made for the current month and this many months after it. */
const MONTHS_AHEAD = 3
/**
 * Writers queue behind this lock while it waits for a running backup or export. The job tries again within the hour.
 */
const LOCK_TIMEOUT = '2s'
/** Reading this much takes less than a second. */
const READ_AT_ONCE_BYTES = 512 * 1024 * 1024

/** Holds the rows from the end of the previous partition up to `until`, exclusive; null: it has no end. */
type Partition = { name: string; until: Date | null }

/** Returns the partitions in order of time, without the default one. */
export async function listPartitions(db: Db | Tx, table: PartitionedTable): Promise<Partition[]> {
  const { rows } = await sql<Partition>`
    select name, substring(bound from 'TO \\(''([^'']+)''\\)')::timestamptz as until
      from pg_inherits join pg_class on pg_class.oid = inhrelid
     cross join lateral (select relname as name, pg_get_expr(relpartbound, pg_class.oid) as bound) as partition
     where inhparent = ${table}::regclass and bound <> 'DEFAULT'
     order by until nulls last`.execute(db)
  return rows
}

/** Makes the missing partitions of the coming months and returns their number. */
export async function makePartitions(
  db: Db,
  now: Date,
  { readAtOnceBytes = READ_AT_ONCE_BYTES } = {},
): Promise<number> {
  let made = 0
  for (const table of partitionedTables) {
    await endEarlier(db, table, now, readAtOnceBytes)
    made += await changePartitions(db, (tx) => makeMonths(tx, table, now))
  }
  return made
}

/**
 * Drops all partitions that end by `by` and returns their number. Drops none when they hold a different number of rows
 * than `rows`, if given.
 */
export async function dropPartitions(db: Db, table: PartitionedTable, by: Date, rows?: number): Promise<number> {
  const [first, ...months] = await listEnded(db, table, by)
  // Most runs have nothing to do and end here, without taking a lock.
  if (!first || (months.length === 0 && (await isEmpty(db, first.name)))) return 0
  return changePartitions(db, async (tx) => {
    const ended = await listEnded(tx, table, by)
    const until = ended.at(-1)?.until
    if (!until || (rows !== undefined && rows !== (await countUnchanging(tx, ended)))) return 0
    await lockWhole(tx, table)
    for (const { name } of ended) {
      await sql`alter table ${sql.table(table)} detach partition ${sql.table(name)}`.execute(tx)
      await sql`drop table ${sql.table(name)}`.execute(tx)
    }
    await addPartition(tx, table, `${table}_earlier`, { until })
    return ended.length
  })
}

async function listEnded(db: Db | Tx, table: PartitionedTable, by: Date): Promise<Partition[]> {
  return (await listPartitions(db, table)).filter(({ until }) => until !== null && until <= by)
}

/** Returns the number of rows that are in no month's partition; counts up to a thousand. */
export async function countUnplaced(db: Db, table: PartitionedTable): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from ${sql.table(`${table}_default`)} limit 1000) as unplaced`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

async function changePartitions<T>(db: Db, change: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`.execute(tx)
    await sql`select pg_advisory_xact_lock(hashtext('partitions'))`.execute(tx)
    return change(tx)
  })
}

/**
 * Sets the end of the partition `…_earlier`, which holds all rows from before the table was partitioned. PostgreSQL has
 * to read it to see that no row is later. That blocks nobody: for a large table it happens in its own transaction,
 * under a constraint that new rows must satisfy as well.
 */
async function endEarlier(db: Db, table: PartitionedTable, now: Date, readAtOnceBytes: number): Promise<void> {
  const isOpen = async (db: Db | Tx) => (await listPartitions(db, table)).at(-1)?.until === null
  if (!(await isOpen(db))) return
  const earlier = sql.table(`${table}_earlier`)
  const constraint = sql.id(`${table}_earlier_end`)
  const column = sql.ref(timeColumns[table])
  const { rows } = await sql<{ bytes: string; latest: Date | null }>`
    select pg_table_size(${`${table}_earlier`}::regclass) as bytes, (select max(${column}) from ${earlier}) as latest`.execute(
    db,
  )
  const { bytes = '0', latest = null } = rows[0] ?? {}
  const isLarge = Number(bytes) > readAtOnceBytes
  // For a large table a month further ahead, so that the constraint rejects no new row before it is dropped.
  const end = sql.lit(addMonths(latest !== null && latest > now ? latest : now, isLarge ? 2 : 1).toISOString())
  const steps: ((tx: Tx) => Promise<unknown>)[] = [
    (tx) =>
      sql`alter table ${earlier} drop constraint if exists ${constraint},
                add constraint ${constraint} check (${column} < ${end}) not valid`.execute(tx),
    (tx) => sql`alter table ${earlier} validate constraint ${constraint}`.execute(tx),
    async (tx) => {
      await lockWhole(tx, table)
      await sql`alter table ${sql.table(table)} detach partition ${earlier}`.execute(tx)
      await sql`
        alter table ${sql.table(table)} attach partition ${earlier} for values from (minvalue) to (${end})`.execute(tx)
      await sql`alter table ${earlier} drop constraint ${constraint}`.execute(tx)
    },
  ]
  if (isLarge) {
    for (const step of steps) await changePartitions(db, step)
    return
  }
  await changePartitions(db, async (tx) => {
    await lockWhole(tx, table)
    if (await isOpen(tx)) for (const step of steps) await step(tx)
  })
}

async function makeMonths(tx: Tx, table: PartitionedTable, now: Date): Promise<number> {
  const last = (await listPartitions(tx, table)).at(-1)?.until
  if (!last) throw new Error(`The partitions of ${table} have no end`)
  let made = 0
  for (let from = last; from < addMonths(now, MONTHS_AHEAD + 1); from = addMonths(from, 1)) {
    const month = from.toISOString().slice(0, 7).replace('-', '_')
    await addPartition(tx, table, `${table}_${month}`, { from, until: addMonths(from, 1) })
    made += 1
  }
  return made
}

/** Creates a table and attaches it: creating it as a partition would block readers of the whole table too. */
async function addPartition(
  tx: Tx,
  table: PartitionedTable,
  name: string,
  { from, until }: { from?: Date; until: Date },
): Promise<void> {
  const [all, added] = [sql.table(table), sql.table(name)]
  await sql`create table ${added} (like ${all} including defaults including constraints, primary key (id))`.execute(tx)
  if (table === 'audit') {
    await sql`
      create trigger audit_append_only before update or delete or truncate on ${added}
      for each statement execute function refuse_audit_change()`.execute(tx)
  }
  if (from) await moveUnplaced(tx, table, name, from, until)
  const begin = from ? sql.lit(from.toISOString()) : sql`minvalue`
  await sql`
    alter table ${all} attach partition ${added} for values from (${begin}) to (${sql.lit(until.toISOString())})`.execute(
    tx,
  )
}

/** Moves a month's rows out of the default partition: its partition was made late, or a clock was ahead. */
async function moveUnplaced(tx: Tx, table: PartitionedTable, to: string, from: Date, until: Date): Promise<void> {
  const unplaced = sql.table(`${table}_default`)
  await sql`lock table ${unplaced} in access exclusive mode`.execute(tx)
  if (await isEmpty(tx, `${table}_default`)) return
  await sql`alter table ${unplaced} disable trigger user`.execute(tx)
  const column = sql.ref(timeColumns[table])
  await sql`
    with moved as (delete from ${unplaced} where ${column} >= ${from} and ${column} < ${until} returning *)
    insert into ${sql.table(to)} select * from moved`.execute(tx)
  await sql`alter table ${unplaced} enable trigger user`.execute(tx)
}

async function isEmpty(db: Db | Tx, table: string): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(db)
  return rows.length === 0
}

/** Counts the rows and keeps others from writing, but not reading, until the end of the transaction. */
async function countUnchanging(tx: Tx, partitions: readonly Partition[]): Promise<number> {
  let count = 0
  for (const { name } of partitions) {
    await sql`lock table ${sql.table(name)} in share mode`.execute(tx)
    const { rows } = await sql<{ count: string }>`select count(*) as count from ${sql.table(name)}`.execute(tx)
    count += Number(rows[0]?.count)
  }
  return count
}

/**
 * Locks the whole table. Needed before locking a partition that others read: they lock the whole table first, so the
 * reverse order would deadlock.
 */
async function lockWhole(tx: Tx, table: PartitionedTable): Promise<void> {
  await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx)
}

/** Returns the first instant, in UTC, of the month that is `months` after that of `date`. */
function addMonths(date: Date, months: number): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months))
}
