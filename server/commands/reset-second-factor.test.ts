import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../db/client.ts'
import { buildPasskey } from '../testing/authenticator.ts'
import { buildSecondFactor, buildStaff } from '../testing/factories.ts'
import { buildCommandProcess, runCommandProcess } from '../testing/server-process.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

describe('npm run staff:reset-factor', { timeout: 120_000 }, () => {
  let database: TestDatabase

  beforeAll(async () => {
    await buildCommandProcess('reset-second-factor')
    database = await openTestDatabase()
  })
  afterAll(() => database.remove())

  it('removes the authenticator app and the passkeys of one person only', async () => {
    const [lerato, sipho] = [await buildStaff(database.db), await buildStaff(database.db)]
    for (const { id } of [lerato, sipho]) {
      await buildSecondFactor(database.db, id)
      await buildPasskey(database.db, id)
    }
    const { dataDir, databaseUrl } = database
    await database.close()
    const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '' }
    const reset = (email: string) => runCommandProcess('reset-second-factor', env, ['--email', email])
    const done = await reset(lerato.email)
    expect(done.output).toContain(`The second factor of ${lerato.email} is reset, and their passkeys are removed`)
    expect(done.code).toBe(0)
    const again = await reset(lerato.email)
    expect(again.output).toContain('They have no second factor.')
    expect(again.code).toBe(1)
    const unknown = await reset('nobody@example.com')
    expect(unknown.output).toContain('There is no staff member with the address nobody@example.com.')

    const { db, close } = await openDatabase({ databaseUrl, dataDir })
    expect(await db.selectFrom('passkeys').select('staff_id').execute()).toEqual([{ staff_id: sipho.id }])
    expect(await db.selectFrom('second_factors').select('staff_id').execute()).toEqual([{ staff_id: sipho.id }])
    const event = db.selectFrom('audit').select(['actor_kind', 'entity_id']).where('action', '=', 'second-factor-reset')
    expect(await event.execute()).toEqual([{ actor_kind: 'system', entity_id: lerato.id }])
    await close()
  })
})
