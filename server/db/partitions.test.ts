import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createId } from '#server/ids.ts'
import { emptyDatabase } from '#server/testing/empty-database.ts'
import { migrateTo } from '#server/testing/migrate-to.ts'
import type { Db } from './client.ts'
import { migrateToLatest } from './migrations/migrate.ts'
import { countUnplaced, dropPartitions, listPartitions, makePartitions, partitionedTables } from './partitions.ts'
import { type TestDatabase, testEngines } from './test-databases.ts'

const NOW = new Date('2026-11-21T09:00:00.000Z')

describe.each(testEngines)('tables partitioned by month on $engine', ({ create }) => {
  let database: TestDatabase
  let db: Db

  beforeAll(async () => {
    database = await create()
    db = database.handle.db
    await migrateToLatest(db)
  })
  beforeEach(() => emptyDatabase(db))
  afterAll(() => database.remove())

  const listMonths = async (table: (typeof partitionedTables)[number]) =>
    (await listPartitions(db, table)).map(
      ({ name, until }) => `${name.replace(`${table}_`, '')} < ${until?.toISOString().slice(0, 10)}`,
    )

  it('get partitions for the coming months as time passes, each only once despite concurrent calls', async () => {
    expect(await listMonths('audit')).toEqual(['earlier < undefined'])
    const made = await Promise.all([makePartitions(db, NOW), makePartitions(db, NOW), makePartitions(db, NOW)])
    expect(made.reduce((sum, number) => sum + number)).toBe(6)
    const months = ['earlier < 2026-12-01', '2026_12 < 2027-01-01', '2027_01 < 2027-02-01', '2027_02 < 2027-03-01']
    for (const table of partitionedTables) expect(await listMonths(table)).toEqual(months)
    expect(await makePartitions(db, new Date('2026-12-31T23:59:59.999Z'))).toBe(2)
    // After five months in which no server ran.
    expect(await makePartitions(db, new Date('2027-06-01T00:00:00.000Z'))).toBe(12)
    expect((await listMonths('audit')).slice(4)).toEqual([
      '2027_03 < 2027-04-01',
      '2027_04 < 2027-05-01',
      '2027_05 < 2027-06-01',
      '2027_06 < 2027-07-01',
      '2027_07 < 2027-08-01',
      '2027_08 < 2027-09-01',
      '2027_09 < 2027-10-01',
    ])
  })

  it('put a row into its month, or into default until the partition of its month is created', async () => {
    await makePartitions(db, NOW)
    const early = await addChange(db, '2019-05-05')
    const soon = await addChange(db, '2027-02-28T23:59:59.999Z')
    const late = await addChange(db, '2027-12-01T00:00:00.000Z')
    expect(await findPlaces(db)).toEqual({ [early]: 'audit_earlier', [soon]: 'audit_2027_02', [late]: 'audit_default' })
    expect([await countUnplaced(db, 'audit'), await countUnplaced(db, 'webhook_deliveries')]).toEqual([1, 0])
    const before = await db.selectFrom('audit').selectAll().orderBy('at').execute()
    await makePartitions(db, new Date('2027-09-15'))
    expect(await findPlaces(db)).toMatchObject({ [late]: 'audit_2027_12' })
    expect(await countUnplaced(db, 'audit')).toBe(0)
    expect(await db.selectFrom('audit').selectAll().orderBy('at').execute()).toEqual(before)
  })

  it('refuse to change or remove rows in any partition of the history', async () => {
    await makePartitions(db, NOW)
    await addChange(db, '2026-11-21')
    for (const table of ['audit', 'audit_earlier', 'audit_2027_01', 'audit_default']) {
      for (const statement of [
        `update ${table} set reason = 'x'`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ]) {
        const refused = sql.raw(statement).execute(db)
        await expect(refused, statement).rejects.toThrow('Rows of the audit are never changed or removed')
      }
    }
  })

  it('allow a change to be undone only once, even in another month', async () => {
    await makePartitions(db, NOW)
    const change = await addChange(db, '2026-12-31T12:00:00.000Z')
    await addChange(db, '2026-12-31T23:59:00.000Z', change)
    await expect(addChange(db, '2027-01-01T00:01:00.000Z', change)).rejects.toMatchObject({
      code: '23505',
      constraint: 'audit_undoes_key',
    })
    const other = await addChange(db, '2026-12-31T12:00:00.000Z')
    const attempts = ['2027-01-02', '2027-02-02', '2031-01-01'].map((at) => addChange(db, at, other))
    const settled = await Promise.allSettled(attempts)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('drop a month once all of it is old, together with all earlier rows', async () => {
    await makePartitions(db, NOW)
    await addDelivery(db, '2026-11-20T09:00:00.000Z')
    const kept = await addDelivery(db, '2027-01-02T09:00:00.000Z')
    expect(await dropPartitions(db, 'webhook_deliveries', new Date('2026-11-30'))).toBe(0)
    expect(await dropPartitions(db, 'webhook_deliveries', new Date('2026-12-01'))).toBe(1)
    expect(await dropPartitions(db, 'webhook_deliveries', new Date('2026-12-01'))).toBe(0)
    expect(await db.selectFrom('webhook_deliveries').select('id').execute()).toEqual([{ id: kept }])
    // There is always a partition for the past, as an archive of the history can be imported.
    await addDelivery(db, '2020-01-01')
    expect((await listMonths('webhook_deliveries'))[0]).toBe('earlier < 2026-12-01')
    expect(await dropPartitions(db, 'webhook_deliveries', new Date('2027-02-01'), 3)).toBe(0)
    expect(await dropPartitions(db, 'webhook_deliveries', new Date('2027-02-01'), 2)).toBe(3)
    expect(await db.selectFrom('webhook_deliveries').select('id').execute()).toEqual([])
    expect((await listMonths('webhook_deliveries'))[0]).toBe('earlier < 2027-02-01')
  })
})

describe.each(testEngines)('a table that existed before its partitions on $engine', ({ engine, create }) => {
  it.each([
    ['small, in one step', {}, '2026-11-20', ['earlier', '2026_12', '2027_01', '2027_02']],
    ['large, without holding anybody up, and a clock was ahead', { readAtOnceBytes: -1 }, '2027-01-03', ['earlier']],
  ])('becomes the first partition unchanged: %s', async (_, options, latest, names) => {
    const { handle, remove } = await create()
    const { db } = handle
    try {
      await migrateTo(db, '057-job-requests')
      const change = await addChange(db, '2026-10-01')
      await addChange(db, '2026-10-02', change)
      await addChange(db, latest)
      await addDelivery(db, '2026-11-20T09:00:00.000Z')
      const changes = await db.selectFrom('audit').selectAll().orderBy('at').execute()
      const filesOf = async (...names: string[]) =>
        (await sql`select pg_relation_filenode(name::regclass) from unnest(${names}::text[]) as name`.execute(db)).rows
      const files = await filesOf('audit', 'audit_kind_idx', 'audit_pkey', 'webhook_deliveries')
      await migrateToLatest(db)
      const [table, index] = ['audit_earlier', 'webhook_deliveries_earlier']
      expect(await filesOf(table, 'audit_earlier_kind_idx', 'audit_earlier_pkey', index)).toEqual(files)
      expect(await db.selectFrom('audit').selectAll().orderBy('at').execute()).toEqual(changes)
      await expect(addChange(db, '2026-10-03', change)).rejects.toHaveProperty('code', '23505')

      // The leftovers of an interrupted run are made again.
      await sql`alter table audit_earlier add constraint audit_earlier_end check (at < '2027-02-01') not valid`.execute(
        db,
      )
      await makePartitions(db, NOW, options)
      await addChange(db, '2027-03-24')
      expect(await filesOf(table, 'audit_earlier_kind_idx', 'audit_earlier_pkey', index)).toEqual(files)
      expect(await db.selectFrom('audit').selectAll().orderBy('at').limit(3).execute()).toEqual(changes)
      expect((await listPartitions(db, 'audit')).map(({ name }) => name)).toEqual(names.map((name) => `audit_${name}`))
      await expect(sql`delete from audit_earlier`.execute(db)).rejects.toThrow('never changed')
    } finally {
      await remove()
    }
  })

  it.runIf(engine === 'postgres')('gets new partitions after its current readers, without blocking them', async () => {
    const { handle, remove } = await create()
    const { db } = handle
    try {
      await migrateToLatest(db)
      let made: Promise<number> | undefined
      await db.transaction().execute(async (tx) => {
        await sql`set local lock_timeout = '500ms'`.execute(tx)
        // Like every query before it locks the partitions.
        await sql`lock table only audit in access share mode`.execute(tx)
        made = makePartitions(db, NOW)
        await expect
          .poll(async () => (await sql`select from pg_locks where not granted`.execute(db)).rows.length)
          .toBe(1)
        expect(await tx.selectFrom('audit').selectAll().execute()).toEqual([])
      })
      expect(await made).toBe(6)
    } finally {
      await remove()
    }
  })
})

async function addChange(db: Db, at: string, undoes: string | null = null): Promise<string> {
  const id = createId()
  await sql`
    insert into audit (id, at, actor_kind, action, entity, undoes)
    values (${id}, ${at}, 'system', 'edit', 'settings', ${undoes})`.execute(db)
  return id
}

async function addDelivery(db: Db, at: string): Promise<string> {
  const [id, webhookId] = [randomUUID(), randomUUID()]
  await sql`
    insert into webhooks (id, url, events, secret, created_at) values (${webhookId}, '', '{}', '', ${at})`.execute(db)
  await sql`
    insert into webhook_deliveries (id, webhook_id, event, body, created_at)
    values (${id}, ${webhookId}, '', '', ${at})`.execute(db)
  return id
}

async function findPlaces(db: Db): Promise<Record<string, string>> {
  const { rows } = await sql<{ id: string; place: string }>`
    select id, tableoid::regclass::text as place from audit`.execute(db)
  return Object.fromEntries(rows.map(({ id, place }) => [id, place]))
}
