import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { silentLog } from '../driver/database-log.ts'
import { createTestFolder } from '../test-databases.ts'
import { embeddedMajor } from './cluster-folder.ts'
import { startMaintenance } from './maintenance.ts'
import { type EmbeddedDatabase, startEmbedded } from './open.ts'

const root = createTestFolder()
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('the embedded database', () => {
  const dataDir = join(root, 'not', 'made', 'yet')
  const events: string[] = []
  const log = { ...silentLog, error: (_details: object, message: string) => events.push(message) }
  let database: EmbeddedDatabase

  beforeAll(async () => {
    // The leftovers of a first start that was killed half-way.
    mkdirSync(join(dataDir, 'database.new', 'base'), { recursive: true })
    writeFileSync(join(dataDir, 'database.new', 'PG_VERSION'), embeddedMajor)
    database = await startEmbedded(dataDir, log)
    await database.opened
    await database.pool.query('create table kept (id int)')
  })
  afterAll(() => database.close())

  it('is created by the major version that the folder check expects', () => {
    expect(readFileSync(join(dataDir, 'database', 'PG_VERSION'), 'utf8').trim()).toBe(embeddedMajor)
  })

  it('syncs every committed write to disk, and no read', async () => {
    for (let id = 0; id < 5; id++) {
      const before = database.countSyncs()
      await database.pool.query('insert into kept values ($1)', [id])
      expect(database.countSyncs() - before).toBeGreaterThanOrEqual(1)
      const after = database.countSyncs()
      await database.pool.query('select * from kept')
      expect(database.countSyncs()).toBe(after)
    }
    const { rows } = await database.pool.query(
      `select name, setting from pg_settings
       where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method', 'max_wal_size') order by name`,
    )
    expect(rows).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'max_wal_size', setting: '64' },
      { name: 'synchronous_commit', setting: 'on' },
      { name: 'wal_sync_method', setting: 'fsync' },
    ])
  })

  it('leaves the event loop free during a long query', { timeout: 120_000 }, async () => {
    // A busy machine delays the event loop, but does not keep it busy.
    const before = performance.eventLoopUtilization()
    const { rows } = await database.pool.query('select count(*) from generate_series(1, 5000000)')
    const { active, idle, utilization } = performance.eventLoopUtilization(before)
    expect(rows).toEqual([{ count: 5_000_000 }])
    expect(active + idle).toBeGreaterThan(500)
    expect(utilization).toBeLessThan(0.1)
  })

  it(
    'fails the queries of a worker that dies, then restarts the worker with all acknowledged data',
    {
      timeout: 120_000,
    },
    async () => {
      await database.pool.query('truncate kept')
      await database.pool.query('insert into kept values (1)')
      await database.pool.query(
        'create function dive(int) returns int language plpgsql as $$ begin return dive($1 + 1); end $$',
      )
      const lent = await database.pool.connect()
      // By default the engine refuses such deep recursion; with a higher limit its stack overflows, and the worker dies.
      await lent.query(`set max_stack_depth = '7MB'`)
      const deadly = lent.query('select dive(1)')
      const waiting = database.pool.query('select count(*) from kept')
      await expect(deadly).rejects.toHaveProperty('code', '57P02')
      await expect(lent.query('select 1')).rejects.toThrow('not queryable')
      lent.release()
      expect((await waiting).rows).toEqual([{ count: 1 }])
      expect(events).toContain('the embedded database stopped and will be started again')
    },
  )

  it('vacuums its tables and checkpoints on request', async () => {
    await database.maintain('vacuum')
    const { rows } = await database.pool.query(
      `select (select last_vacuum is not null from pg_stat_user_tables where relname = 'kept') as vacuumed,
              now() - checkpoint_time < interval '10 seconds' as checkpointed from pg_control_checkpoint()`,
    )
    expect(rows).toEqual([{ vacuumed: true, checkpointed: true }])
  })

  it('checkpoints by itself after writes, sooner after many, and not when idle', async () => {
    const redo = async () => (await database.pool.query('select redo_lsn from pg_control_checkpoint()')).rows[0]
    const maintain = (times: object) =>
      startMaintenance({
        pool: database.pool,
        countSyncs: database.countSyncs,
        log,
        times: { lookEveryMs: 10, ...times },
      })
    const idle = await redo()
    const stopIdle = maintain({ checkpointAfterMs: 0 })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await redo()).toEqual(idle)
    await database.pool.query('insert into kept values (2)')
    await expect.poll(redo, { timeout: 10_000 }).not.toEqual(idle)
    await stopIdle()

    const quiet = await redo()
    const stopBulk = maintain({ checkpointAfterBytes: 1024 * 1024 })
    await database.pool.query('insert into kept values (3)')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await redo()).toEqual(quiet)
    await database.pool.query('insert into kept select generate_series(1, 30000)')
    await expect.poll(redo, { timeout: 10_000 }).not.toEqual(quiet)
    await stopBulk()
  })

  it('vacuums by itself, also when the clock is set back', async () => {
    await database.pool.query('create table dusty (id int)')
    const ahead = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
    const stop = startMaintenance({
      pool: database.pool,
      countSyncs: database.countSyncs,
      log,
      times: { lookEveryMs: 10, firstVacuumAfterMs: 0 },
    })
    ahead.mockRestore()
    const vacuumed = async () =>
      (await database.pool.query(`select last_vacuum from pg_stat_user_tables where relname = 'dusty'`)).rows[0]
        .last_vacuum
    await expect.poll(vacuumed, { timeout: 10_000 }).toBeInstanceOf(Date)
    await stop()
  })
})

describe('a data folder', () => {
  const openEmbedded = async (dataDir: string) => (await startEmbedded(dataDir, silentLog)).opened

  it('is refused with advice, and left unchanged, when another version of PostgreSQL created it', async () => {
    const dataDir = join(root, 'old')
    mkdirSync(join(dataDir, 'database', 'base'), { recursive: true })
    writeFileSync(join(dataDir, 'database', 'PG_VERSION'), '17\n')
    writeFileSync(join(dataDir, 'database', 'base', '1'), 'rows')
    const readSizes = () =>
      readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
        .sort()
        .map((name) => [name, statSync(join(dataDir, name)).size])
    const before = readSizes()
    await expect(openEmbedded(dataDir)).rejects.toThrow(/made by PostgreSQL 17.*backup/s)
    await expect(openEmbedded(dataDir)).rejects.toThrow(/made by PostgreSQL 17/)
    expect(readSizes()).toEqual(before)
  })

  it(
    'reports the engine’s reason when its database is broken, and releases its lock',
    {
      timeout: 120_000,
    },
    async () => {
      const dataDir = join(root, 'broken')
      mkdirSync(join(dataDir, 'database'), { recursive: true })
      writeFileSync(join(dataDir, 'database', 'PG_VERSION'), `${embeddedMajor}\n`)
      await expect(openEmbedded(dataDir)).rejects.toThrow(/FATAL|PANIC|initialize/)
      await expect(openEmbedded(dataDir)).rejects.not.toThrow('in use')
    },
  )
})
