import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrateToLatest } from './migrations/migrate.ts'
import { tableNames } from './tables.ts'
import { type TestDatabase, testEngines } from './test-databases.ts'

describe.each(testEngines)('the list of tables on $engine', ({ create }) => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await create()
    await migrateToLatest(database.handle.db)
  })
  afterAll(() => database.remove())

  it('contains exactly the tables of the database', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name
        from information_schema.tables join pg_class on pg_class.oid = format('%I', table_name)::regclass
       where table_schema = current_schema() and table_type = 'BASE TABLE'
         and not relispartition and table_name not like 'kysely%'
       order by 1`.execute(database.handle.db)
    const problem = 'the tables of the migrations (received) are not those of server/db/tables.ts (expected)'
    expect(
      rows.map(({ name }) => name),
      problem,
    ).toEqual(tableNames.toSorted())
  })

  it('has parent tables before their children', async () => {
    const { rows } = await sql<{ child: string; parent: string }>`
      select distinct conrelid::regclass::text as child, confrelid::regclass::text as parent
        from pg_constraint where contype = 'f' and conrelid <> confrelid and conparentid = 0`.execute(
      database.handle.db,
    )
    expect(rows.length).toBeGreaterThan(5)
    const place = (table: string) => tableNames.findIndex((name) => name === table)
    const early = rows.filter(({ child, parent }) => place(child) < place(parent))
    expect(early, 'move each child below its parent in server/db/tables.ts').toEqual([])
  })

  it('counts the version of every record that has one', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name
        from information_schema.columns join pg_class on pg_class.oid = format('%I', table_name)::regclass
       where table_schema = current_schema() and column_name = 'version' and not relispartition
         and table_name <> 'audit' -- which holds the version that its record had
         and not exists (select from pg_trigger join pg_proc on pg_proc.oid = tgfoid
                          where tgrelid = pg_class.oid and proname = 'count_version')`.execute(database.handle.db)
    expect(rows, 'have no trigger that calls count_version(), so nobody would notice a conflict').toEqual([])
  })
})
