import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../client.ts'
import { createTestFolder } from '../test-databases.ts'
import { killWhileWriting, readLines } from './kill-while-writing.ts'
import { copyTestCluster } from './test-cluster.ts'
import { startWriter, stopWriters } from './test-processes.ts'

const folders: string[] = []

function makeDataDir(): string {
  const dataDir = createTestFolder()
  folders.push(dataDir)
  copyTestCluster(dataDir)
  return dataDir
}

afterAll(async () => {
  await stopWriters()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

describe.concurrent('a process that is killed while it writes', () => {
  // durability.test.ts kills the whole server while it takes bookings; here it is only the engine.
  const kills = process.env.TEST_LONG ? 15 : 2

  it.for([1, 2])('loses no acknowledged row (folder %i)', { timeout: 600_000 }, async (_folder, { expect, signal }) => {
    const dataDir = makeDataDir()
    const acknowledged = new Set<number>()
    // One turn more than there are kills: the last one shows what the previous one left.
    for (let turn = 0; turn <= kills; turn++) {
      signal.throwIfAborted()
      const writer = startWriter(dataDir)
      const found = readLines(writer, 'found')
      const torn = readLines(writer, 'torn')
      const errors = readLines(writer, 'error')
      const written = await killWhileWriting(writer, readLines(writer, 'ack'))
      expect(errors.all).toEqual([])
      expect(torn.all).toEqual(['0'])
      const present = new Set<number>(JSON.parse(found.all[0] ?? '[]') as number[])
      expect([...acknowledged].filter((id) => !present.has(id))).toEqual([])
      for (const id of written) acknowledged.add(Number(id))
      expect(acknowledged.size).toBeGreaterThan(turn)
    }
  })
})

describe('a second process on a data folder', () => {
  const dataDir = makeDataDir()
  const inUse = `The data folder ${dataDir} is in use by another Podkeeper process. Stop it, or set DATA_DIR to another folder.`

  it(
    'is refused while the first one runs, and accepted after the first one was killed',
    {
      timeout: 120_000,
    },
    async () => {
      const first = startWriter(dataDir)
      await readLines(first, 'ack').first

      const second = startWriter(dataDir)
      const errors = readLines(second, 'error')
      const [exitCode] = await once(second, 'exit')
      expect(exitCode).toBe(1)
      expect(errors.all).toEqual([inUse])
      await expect(openDatabase({ dataDir })).rejects.toThrow(inUse)

      first.kill('SIGKILL')
      await once(first, 'exit')
      const handle = await openDatabase({ dataDir })
      await sql`select 1`.execute(handle.db)
      await handle.close()
    },
  )

  it('is the only one to start when several compete for a stale lock', { timeout: 120_000 }, async () => {
    const stale = startWriter(dataDir)
    await readLines(stale, 'ack').first
    stale.kill('SIGKILL')
    await once(stale, 'exit')

    const writers = Array.from({ length: 4 }, () => startWriter(dataDir))
    const outcomes = writers.map((writer) => ({ acks: readLines(writer, 'ack'), errors: readLines(writer, 'error') }))
    const refused = writers.map((writer, index) => once(writer, 'exit').then(() => index))
    await Promise.race(outcomes.map(({ acks }) => acks.first))
    await Promise.race(refused)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(outcomes.filter(({ acks }) => acks.all.length > 0)).toHaveLength(1)
    expect(outcomes.flatMap(({ errors }) => errors.all)).toEqual([inUse, inUse, inUse])
    for (const writer of writers) writer.kill('SIGKILL')
    await Promise.all(refused)
  })
})
