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
})
