import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../db/client.ts'
import { createSecretBox } from '../secrets.ts'
import { requireSecretKey } from '../start/secret-key.ts'
import { buildPod } from '../testing/factories.ts'
import { buildCommandProcess, runCommandProcess } from '../testing/server-process.ts'
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts'

const SECRET_KEY = 'the first key of all'
const NEW_SECRET_KEY = 'quite another key'

describe('npm run secret:change', { timeout: 120_000 }, () => {
  let database: TestDatabase
  /** Opens the database as a server does; the embedded folder can be opened only once. */
  const open = () => openDatabase({ databaseUrl: database.databaseUrl, dataDir: database.dataDir })
  const change = (env: Record<string, string>) =>
    runCommandProcess('change-secret', {
      DATA_DIR: database.dataDir,
      DATABASE_URL: database.databaseUrl ?? '',
      ...env,
    })

  beforeAll(async () => {
    await buildCommandProcess('change-secret')
    database = await openTestDatabase()
    await buildPod(database.db, { device_password: createSecretBox(SECRET_KEY).seal('door') })
    await requireSecretKey(database.db, createSecretBox(SECRET_KEY))
  })
  afterAll(() => database.remove())

  it('requires a new key, the old key and no running server, and says how to continue', async () => {
    const whileOpen = await change({ SECRET_KEY, NEW_SECRET_KEY })
    expect(whileOpen.code).toBe(1)
    expect(whileOpen.output).toMatch(
      database.engine === 'postgres' ? /Stop every server[^]*restart it/ : 'is in use by another',
    )
    await database.close()

    const without = await change({ SECRET_KEY })
    expect(without.code).toBe(1)
    expect(without.output).toContain('Set NEW_SECRET_KEY to the new key, which needs at least 16 characters')
    const wrong = await change({ SECRET_KEY: 'not the key of before', NEW_SECRET_KEY })
    expect(wrong.code).toBe(1)
    expect(wrong.output).toContain('SECRET_KEY is not the key')
    expect(wrong.output).toContain(
      'If the key is lost, put a new one into NEW_SECRET_KEY and run: npm run secret:change',
    )

    const right = await change({ SECRET_KEY, NEW_SECRET_KEY })
    expect(right.output).toContain(
      'Device passwords, secrets of webhooks and keys of second factors encrypted with the new key: 1',
    )
    expect(right.output).toContain('set SECRET_KEY to the new key')
    expect(right.output).not.toContain(NEW_SECRET_KEY)
    expect(right.code).toBe(0)
    const { db, close } = await open()
    await requireSecretKey(db, createSecretBox(NEW_SECRET_KEY))
    const { device_password } = await db.selectFrom('pods').select('device_password').executeTakeFirstOrThrow()
    expect(createSecretBox(NEW_SECRET_KEY).open(device_password)).toBe('door')
    await close()
  })
})
