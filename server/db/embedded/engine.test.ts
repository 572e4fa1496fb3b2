import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logPoolErrors, silentLog } from '../driver/database-log.ts'
import { createTestFolder } from '../test-databases.ts'
import { type EmbeddedEngine, startEngine } from './engine.ts'
import { copyTestCluster } from './test-cluster.ts'
import { cachedWorkerUrl } from './worker-file.ts'

/** Writes a copy of the built worker in which one part is broken, and returns its URL. */
function breakWorker(name: string, part: string, broken: string): URL {
  const source = readFileSync(cachedWorkerUrl, 'utf8')
  if (!source.includes(part)) throw new Error(`The built worker has no ${part}`)
  const url = new URL(`./broken-${process.pid}-${name}.js`, cachedWorkerUrl)
  writeFileSync(url, source.replace(part, broken))
  return url
}

function openPool(engine: EmbeddedEngine): Pool {
  const pool = new Pool({ stream: engine.openStream, max: 1, idleTimeoutMillis: 0, user: 'postgres', ssl: false })
  logPoolErrors(pool, silentLog)
  return pool
}

describe('an embedded engine', () => {
  const root = createTestFolder()
  const folder = join(root, 'database')
  copyTestCluster(root)
  const urls: URL[] = []

  beforeAll(async () => {
    const engine = startEngine({ folder, workerUrl: cachedWorkerUrl, log: silentLog })
    const pool = openPool(engine)
    await pool.query('create table kept (id int)')
    await pool.end()
    await engine.stop()
  })
  afterAll(() => {
    for (const url of urls) rmSync(url, { force: true })
    rmSync(root, { recursive: true, force: true })
  })

  it('does not start when a commit would not reach the disk', { timeout: 120_000 }, async () => {
    const workerUrl = breakWorker('sync', 'parameter !== "-F"', 'true')
    urls.push(workerUrl)
    await expect(startEngine({ folder, workerUrl, log: silentLog }).opened).rejects.toThrow(
      'a commit does not sync to disk',
    )
  })

  it('acknowledges no write when a disk sync fails, and logs the reason', { timeout: 120_000 }, async () => {
    const reasons: object[] = []
    const log = { ...silentLog, error: (details: object) => reasons.push(details) }
    const workerUrl = breakWorker(
      'disk',
      'fdatasyncSync(stream.nfd)',
      'if (process.getBuiltinModule("node:fs").existsSync(`${workerData.folder}/disk-is-broken`)) throw new Error("EIO"); fdatasyncSync(stream.nfd)',
    )
    urls.push(workerUrl)
    const engine = startEngine({ folder, workerUrl, log })
    const pool = openPool(engine)
    await pool.query('insert into kept values (1)')
    writeFileSync(join(folder, 'disk-is-broken'), '')
    const write = pool.query('insert into kept values (2)')
    await expect(write).rejects.toMatchObject({ code: '57P02', message: expect.stringMatching(/PANIC.*fsync/) })
    rmSync(join(folder, 'disk-is-broken'))
    expect((await pool.query('select id from kept where id = 1')).rows).toEqual([{ id: 1 }])
    expect(reasons).toEqual([{ reason: expect.stringMatching(/PANIC.*fsync/) }])
    await pool.end()
    await engine.stop()
  })

  it('refuses connections after it was stopped', { timeout: 120_000 }, async () => {
    const engine = startEngine({ folder, workerUrl: cachedWorkerUrl, log: silentLog })
    const pool = openPool(engine)
    await Promise.all([engine.stop(), engine.stop()])
    await expect(pool.query('select 1')).rejects.toThrow('The embedded database is closed')
    await pool.end()
  })
})
