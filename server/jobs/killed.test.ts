import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { type DatabaseHandle, openDatabase } from '#server/db/client.ts'
import { buildModule } from '#server/db/embedded/build-worker.ts'
import { killWhileWriting, readLines } from '#server/db/embedded/kill-while-writing.ts'
import { cachedWorkerUrl } from '#server/db/embedded/worker-file.ts'
import { openTestDatabase, type TestDatabase } from '#server/testing/test-database.ts'
import { startWorker } from './worker.ts'

const KILLS = process.env.TEST_LONG ? 50 : 3

/** Beside the database's worker, where the bundle looks for that. */
const killedWorkerUrl = new URL('./killed-worker.js', cachedWorkerUrl)
const folder = mkdtempSync(join(tmpdir(), 'podkeeper-jobs-'))
const effects = join(folder, 'effects')
let database: TestDatabase
let child: ChildProcess | undefined

beforeAll(async () => {
  await buildModule(new URL('../testing/killed-worker.ts', import.meta.url), killedWorkerUrl)
  database = await openTestDatabase()
  // The embedded engine admits one process at a time.
  await database.close()
})
afterAll(async () => {
  child?.kill('SIGKILL')
  await database.remove()
  rmSync(folder, { recursive: true, force: true })
})

function startKilled(turn: number): ChildProcess {
  const { dataDir, databaseUrl = '' } = database
  const args = [fileURLToPath(killedWorkerUrl), dataDir, databaseUrl, effects, String(turn)]
  child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  return child
}

/** Runs the remaining jobs with a worker that is not killed. */
async function finish({ db }: DatabaseHandle): Promise<void> {
  const worker = startWorker({
    context: { db, clock: systemClock },
    kinds: { effect: { title: '', run: async (_context, { id, key }) => appendFileSync(effects, `${id} ${key}\n`) } },
    concurrency: 20,
    log: { info: () => undefined, error: (details) => expect.fail(JSON.stringify(details)) },
    pollMs: 20,
  })
  const countOpen = async () => (await db.selectFrom('jobs').select('id').where('done_at', 'is', null).execute()).length
  await expect.poll(countOpen, { timeout: 60_000 }).toBe(0)
  await worker.stop()
}

it('every queued job takes effect, under one id only, although workers are killed', async () => {
  const queued = new Set<string>()
  for (let turn = 0; turn < KILLS; turn++) {
    const killed = startKilled(turn)
    const acknowledged = readLines(killed, 'queued')
    const errors = readLines(killed, 'error')
    await killWhileWriting(killed, readLines(killed, 'begun'))
    expect(errors.all).toEqual([])
    for (const key of acknowledged.all) queued.add(key)
  }
  const { dataDir, databaseUrl } = database
  const handle = await openDatabase({ dataDir, databaseUrl })
  onTestFinished(() => handle.close())
  await finish(handle)
  const lines = readFileSync(effects, 'utf8').trimEnd().split('\n')
  // All lines of a job have the same id, by which a receiver recognises repetitions.
  const counted = [...new Set(lines)].map((line) => line.split(' ')[1])
  expect(new Set(counted).size).toBe(counted.length)
  expect([...queued].filter((key) => !counted.includes(key))).toEqual([])
  expect(queued.size).toBeGreaterThan(KILLS)
}, 1_800_000)
