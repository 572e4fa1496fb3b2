import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../db/client.ts'
import { buildCommandProcess, runCommandProcess } from '../testing/server-process.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

describe('npm run staff:create', { timeout: 120_000 }, () => {
  let database: TestDatabase

  beforeAll(async () => {
    await buildCommandProcess('create-staff')
    database = await openTestDatabase()
  })
  afterAll(() => database.remove())

  it('adds a staff member, and says so in the history', async () => {
    const { dataDir, databaseUrl } = database
    await database.close()
    const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '' }
    const create = (...args: string[]) => runCommandProcess('create-staff', env, ['--first', 'Lerato', ...args])
    const missing = await create()
    expect(missing.output).toContain('Email is required')
    expect(missing.code).toBe(1)
    const noPages = await create('--email', 'lerato@example.com', '--pages', '0,six')
    expect(noPages.output).toContain('--pages has to be codes from 1 to 9, with commas between them')
    expect(noPages.output).not.toContain('auth_page')
    const created = await create('--email', 'Lerato@Example.com', '--pages', '6,9')
    expect(created.output).toMatch(/Email +lerato@example\.com\n +Password +\S+ +\(shown this once\)/)
    expect(created.code).toBe(0)
    const again = await create('--email', 'lerato@example.com')
    expect(again.output).toContain(
      'There is a staff member with the address lerato@example.com already. Add one with another',
    )
    expect(again.code).toBe(1)

    const { db, close } = await openDatabase({ databaseUrl, dataDir })
    const staff = await db.selectFrom('staff').select(['id', 'email', 'pages', 'must_replace_password']).execute()
    expect(staff).toEqual([
      { id: expect.any(String), email: 'lerato@example.com', pages: [6, 9], must_replace_password: true },
    ])
    const changes = db.selectFrom('audit').select(['actor_kind', 'action', 'entity', 'entity_id', 'label', 'after'])
    expect(await changes.execute()).toEqual([
      {
        actor_kind: 'system',
        action: 'create',
        entity: 'staff',
        entity_id: staff[0]?.id,
        label: 'Lerato',
        after: expect.objectContaining({ email: 'lerato@example.com', pages: [6, 9] }),
      },
    ])
    await close()
  })
})
