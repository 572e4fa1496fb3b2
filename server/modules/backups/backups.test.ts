import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { DAY } from '#contract/durations.ts'
import { PAGE } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { type BackupPlace, createFolderPlace, openBackupPlace } from '#server/backup/backup-place.ts'
import { keepBackup } from '#server/backup/keep-backup.ts'
import { checkBackup } from '#server/backup/read-backup.ts'
import { systemClock } from '#server/clock.ts'
import { parseConfig } from '#server/config.ts'
import type { AppContext } from '#server/context.ts'
import { jobKinds } from '#server/jobs/jobs.ts'
import { claimJobs, type Job } from '#server/jobs/queue.ts'
import { startWorker } from '#server/jobs/worker.ts'
import { buildBooking, buildPod, buildUser } from '#server/testing/factories.ts'
import { startS3Server } from '#server/testing/s3-server.ts'
import { mountSmallDisk } from '#server/testing/small-disk.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { backupJob, isUnderWay, planBackup, probeBackupPlace, toNextTime } from './backups.service.ts'

const folder = await mkdtemp(join(tmpdir(), 'podkeeper-backups-'))
const store = await startS3Server()
const test = useTestApp({ BACKUP_TO: folder, BACKUP_AT: '02:30' })

beforeEach(async () => {
  vi.restoreAllMocks()
  for (const name of await readdir(folder)) await rm(join(folder, name))
})
afterAll(async () => {
  await store.remove()
  await rm(folder, { recursive: true, force: true })
})

const listJobs = () =>
  test.db.selectFrom('jobs').select(['key', 'run_at']).where('kind', '=', 'backup').orderBy('run_at').execute()
const listFiles = async () => (await readdir(folder)).sort()

/** Claims the job that is due, as a server's worker does. */
async function claim(at: Date): Promise<Job> {
  test.clock.set(at)
  const leaseUntil = new Date(at.getTime() + 30_000)
  const [job] = await claimJobs(test.db, { kinds: ['backup'], limit: 1, now: at, leaseUntil })
  if (!job) throw new Error('No backup is due')
  return job
}

async function claimNext(): Promise<Job> {
  await planBackup(test.context)
  const [next] = await listJobs()
  if (!next) throw new Error('None is planned')
  return claim(next.run_at)
}

async function finish(job: Job): Promise<void> {
  await test.db
    .updateTable('jobs')
    .set({ done_at: test.clock.now(), lease_until: null, lease_id: null })
    .where('id', '=', job.id)
    .execute()
}

async function fill(): Promise<void> {
  const pod = await buildPod(test.db)
  const user = await buildUser(test.db)
  await buildBooking(test.db, { pod_id: pod.id, user_id: user.id })
}

describe('a scheduled backup', () => {
  it('is planned once, by the business time zone, and again when the time of day is changed', async () => {
    await planBackup(test.context)
    await planBackup(test.context)
    // 02:30 in Johannesburg, which is two hours ahead.
    const planned = { key: 'backup 2026-11-22', run_at: new Date('2026-11-22T00:30:00.000Z') }
    expect(await listJobs()).toEqual([planned])
    const later = { ...test.context.config, backup: { to: folder, at: '04:00', keep: { days: 1, months: 0 } } }
    await planBackup({ ...test.context, config: later })
    expect(await listJobs()).toEqual([{ ...planned, run_at: new Date('2026-11-22T02:00:00.000Z') }])
    await planBackup({ ...test.context, config: { ...later, backup: undefined } })
    expect(await listJobs()).toHaveLength(1)
  })

  it.each([
    ['2026-03-29T00:59:00.000Z', '02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    ['2026-10-25T00:29:00.000Z', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T00:30:00.000Z', '02:30', 'Europe/Berlin', '2026-10-26T01:30:00.000Z'],
    ['2026-11-21T23:59:00.000Z', '00:00', 'UTC', '2026-11-22T00:00:00.000Z'],
  ])('planned after %s for %s in %s runs at %s, also when clocks change', (now, at, zone, next) => {
    expect(toNextTime(new Date(now), at, zone).toISOString()).toBe(next)
  })

  it('is one file that can be read back, with a checksum file, and is shown to staff', async () => {
    await fill()
    const { token } = await test.signIn([PAGE.staff])
    expect((await test.request(routes.backups.get, { token })).body).toEqual({ isOn: true, last: null, nextAt: null })
    expect(await backupJob.run(test.context, await claimNext())).toEqual({ changed: 1 })
    const name = 'podkeeper-daily-2026-11-22T00-30-00.jsonl.gz'
    expect(await listFiles()).toEqual([name, `${name}.sha256`])
    const { counts } = await checkBackup(() => createFolderPlace(folder).read(name))
    expect(counts.tables.bookings).toBe(1)
    expect(await readFile(join(folder, `${name}.sha256`), 'utf8')).toMatch(new RegExp(`^[0-9a-f]{64}  ${name}\n$`))
    const { length: bytes } = await readFile(join(folder, name))
    // Claiming the job has moved the clock, so the first session is over.
    const { token: later } = await test.signIn([PAGE.staff])
    expect((await test.request(routes.backups.get, { token: later })).body.last).toEqual({
      madeAt: '2026-11-22T00:30:00.000Z',
      checkedAt: '2026-11-22T00:30:00.000Z',
      bytes,
      rows: counts.rows,
      images: 0,
    })
  })

  it('does not delay other requests while it is made', async () => {
    const job = await claimNext()
    const { token } = await test.signIn([PAGE.locations])
    let reads = 0
    const { readAtLength } = test.context
    // The embedded engine has a single session: if the backup held it, these requests would wait.
    const context: AppContext = {
      ...test.context,
      readAtLength: (work) =>
        readAtLength(async (db) => {
          const list = await test.request(routes.locations.list, { token, query: { page: '1' } })
          if (list.status === 200) reads += 1
          await buildUser(test.db, { firstname: 'Meanwhile' })
          return work(db)
        }),
    }
    await backupJob.run(context, job)
    expect(reads).toBe(1)
    expect(await readdir(test.database.dataDir)).not.toContain('copy-to-read')
    expect(await test.db.selectFrom('users').select('id').where('firstname', '=', 'Meanwhile').execute()).toHaveLength(
      1,
    )
  })

  it('is preceded at the start by a small file, which leaves nothing behind', async () => {
    await probeBackupPlace(test.context)
    expect(await listFiles()).toEqual([])
  })

  it('is not written where a shell would have replaced ~', async () => {
    const place = createFolderPlace('~')
    onTestFinished(() => rm('~', { force: true, recursive: true }))
    await expect(place.write('one.jsonl.gz', Readable.from([Buffer.from('x')]))).rejects.toThrow(
      '~ is replaced by a shell only where it begins a word: write out the path.',
    )
  })

  it('fails and is deleted when the stored file is damaged', async () => {
    await fill()
    const place = createFolderPlace(folder)
    const damaging = (damage: (bytes: Buffer) => Buffer): BackupPlace => ({
      ...place,
      // Simulates a disk that reports a write but does not store it properly.
      async write(name, bytes) {
        await place.write(name, bytes)
        await writeFile(join(folder, name), damage(await readFile(join(folder, name))))
      },
    })
    const damages = [
      (bytes: Buffer) => bytes.subarray(0, 100),
      (bytes: Buffer) => bytes.fill(0, bytes.length >> 1, (bytes.length >> 1) + 8),
      () => gzipSync(''),
    ]
    const { readAtLength: read, storage } = test.context
    for (const damage of damages) {
      const made = keepBackup({ read, storage, place: damaging(damage), name: 'damaged.jsonl.gz' })
      await expect(made).rejects.toThrow('This backup is damaged')
      expect(await listFiles()).toEqual([])
    }
  })

  it('is not made again when its job runs a second time', async () => {
    const job = await claimNext()
    await backupJob.run(test.context, job)
    const files = await listFiles()
    expect(files).toHaveLength(2)
    test.clock.set(new Date(test.clock.now().getTime() + 60_000))
    await backupJob.run(test.context, job)
    // One that is made again replaces the earlier one of the day.
    expect(await listFiles()).toEqual(files)
  })

  it('runs on one server at a time, and unused images are not deleted meanwhile', async () => {
    const unused = { id: 'unused', placeholder: 'data:,', width: 1, height: 1, created_at: new Date(0) }
    await test.db
      .insertInto('images')
      .values({ ...unused, url: '/uploads/unused.webp', thumbnail_url: '/uploads/unused-thumbnail.webp' })
      .execute()
    const sweepImages = () => jobKinds['unused images']?.run(test.context, {} as never) // sweeps ignore the job argument
    await claimNext()
    expect(await isUnderWay(test.context)).toBe(true)
    expect(await sweepImages()).toBe(0)
    await planBackup(test.context)
    const other = await claim(new Date(test.clock.now().getTime() + DAY)).catch(String)
    // The first job's lease has run out: its server is gone, and another server takes the job over.
    expect(other).toMatchObject({ key: 'backup 2026-11-22' })
    const second = await claim(test.clock.now())
    await expect(backupJob.run(test.context, second)).rejects.toThrow('Another backup is being made')
    expect(await listFiles()).toEqual([])
    // A day later, no backup is being made any more.
    test.clock.set(new Date(test.clock.now().getTime() + DAY))
    expect(await sweepImages()).toBe(1)
  })

  it('ends without a file when its server stops, and is made by the next attempt', async () => {
    const job = await claimNext()
    const stopping = new AbortController()
    const { readAtLength } = test.context
    const context: AppContext = {
      ...test.context,
      readAtLength: (work) =>
        readAtLength((db) => {
          stopping.abort(new Error('The server was stopped meanwhile'))
          return work(db)
        }),
    }
    await expect(backupJob.run(context, job, stopping.signal)).rejects.toThrow('The server was stopped meanwhile')
    expect(await listFiles()).toEqual([])
    await backupJob.run(test.context, job)
    expect(await listFiles()).toHaveLength(2)
  })

  it('ends only after writing has stopped when it is interrupted', async () => {
    const stopping = new AbortController()
    let isWriting = true
    const place: BackupPlace = {
      ...createFolderPlace(folder),
      async write(_name, bytes) {
        try {
          for await (const _chunk of bytes) stopping.abort(new Error('The server was stopped meanwhile'))
        } finally {
          await pause(50)
          isWriting = false
        }
      },
    }
    const { readAtLength: read, storage } = test.context
    const made = keepBackup({ read, storage, place, name: 'broken-off.jsonl.gz', signal: stopping.signal })
    await expect(made).rejects.toThrow()
    expect(isWriting).toBe(false)
  })

  const disk = mountSmallDisk(1)
  afterAll(() => disk?.remove())
  it.runIf(disk !== undefined)('fails with the reason when there is no room for it', async () => {
    const images = Array.from({ length: 20 }, (_, n) => `large-${n}.webp`)
    for (const key of images) await test.context.storage.put(key, randomBytes(100_000), 'image/webp')
    const toRow = (key: string) => {
      const url = `/uploads/${key}`
      return { id: key, url, thumbnail_url: url, placeholder: 'data:,', width: 3, height: 2 }
    }
    await test.db.insertInto('images').values(images.map(toRow)).execute()
    const { readAtLength: read, storage } = test.context
    const place = createFolderPlace(disk?.folder ?? '')
    await expect(keepBackup({ read, storage, place, name: 'too-large.jsonl.gz' })).rejects.toThrow(
      `The disk that holds ${disk?.folder} is full. Free some space, or name another folder.`,
    )
  })

  it('is given up when its last attempt fails, and shown to staff with the reason', async () => {
    const taken = join(folder, 'taken')
    await writeFile(taken, '')
    const backup = { to: join(taken, 'below'), at: '02:30', keep: { days: 14, months: 12 } }
    const context = { ...test.context, clock: systemClock, config: { ...test.context.config, backup } }
    await test.db
      .insertInto('jobs')
      .values({ kind: 'backup', key: 'backup 2026-11-21', run_at: new Date(0), tries: 9, max_tries: 10 })
      .execute()
    const log = { info: () => undefined, error: () => undefined }
    const worker = startWorker({ context, kinds: { backup: backupJob }, concurrency: 1, log })
    const { token } = await test.signIn([PAGE.staff])
    await expect
      .poll(async () => (await test.request(routes.failedJobs.list, { token })).body)
      .toMatchObject([{ title: 'Making the daily backup', lastError: expect.stringMatching(/ENOTDIR|EEXIST/) }])
    await worker.stop()
  })

  it('deletes outdated and incomplete daily backups, and never other files', async () => {
    const day = (n: number) => `podkeeper-daily-2026-10-${n}T00-30-00.jsonl.gz`
    const own = Array.from({ length: 21 }, (_, n) => day(n + 10))
    for (const name of own) {
      await writeFile(join(folder, name), 'a backup')
      await writeFile(join(folder, `${name}.sha256`), 'its checksum')
    }
    const others = ['podkeeper-2026-01-01T00-30-00.jsonl.gz', 'podkeeper-daily-notes.txt', 'photo.webp']
    for (const name of others) await writeFile(join(folder, name), '')
    await writeFile(join(folder, `${day(31)}.partial`), 'of a server that was killed')
    await writeFile(join(folder, day(31)), 'never found whole')
    const job = await claimNext()
    await backupJob.run(test.context, job)
    await finish(job)
    const left = await listFiles()
    const made = 'podkeeper-daily-2026-11-22T00-30-00.jsonl.gz'
    // Backups of 14 days are kept, among them the newest of each month.
    const kept = [...own.slice(-13), made]
    expect(left).toEqual([...others, ...kept.flatMap((name) => [name, `${name}.sha256`])].sort())
  })

  it('is kept beside one from the future, which was made while a clock was ahead', async () => {
    const ahead = 'podkeeper-daily-2027-10-01T00-30-00.jsonl.gz'
    for (const name of [ahead, `${ahead}.sha256`]) await writeFile(join(folder, name), '')
    const backup = { to: folder, at: '02:30', keep: { days: 1, months: 0 } }
    const context = { ...test.context, config: { ...test.context.config, backup } }
    await backupJob.run(context, await claimNext())
    const made = 'podkeeper-daily-2026-11-22T00-30-00.jsonl.gz'
    expect(await listFiles()).toEqual([made, ahead].flatMap((name) => [name, `${name}.sha256`]))
  })
})

describe('a backup in a bucket', () => {
  const settings = { ...store.settings, S3_BUCKET: '', BACKUP_TO: `s3://${store.settings.S3_BUCKET}/kept` }

  it('is written in parts, listed and read back, and replaces outdated backups', async () => {
    const config = parseConfig(settings)
    expect([config.s3, config.backup?.to]).toEqual([undefined, 's3://podkeeper/kept'])
    const place = await openBackupPlace(config.backup?.to ?? '', config)
    const piece = Buffer.alloc(3 * 2 ** 20, 'x')
    const inPieces = async function* (count: number) {
      for (let n = 0; n < count; n++) yield piece
    }
    await place.write('podkeeper-daily-2026-10-01T00-30-00.jsonl.gz', inPieces(7))
    await place.write('podkeeper-daily-2026-10-01T00-30-00.jsonl.gz.sha256', inPieces(1))
    expect(await place.list('podkeeper-daily-')).toEqual([
      { name: 'podkeeper-daily-2026-10-01T00-30-00.jsonl.gz', bytes: 21 * 2 ** 20 },
      { name: 'podkeeper-daily-2026-10-01T00-30-00.jsonl.gz.sha256', bytes: 3 * 2 ** 20 },
    ])
    const context = {
      ...test.context,
      config: {
        ...test.context.config,
        ...config,
        backup: { to: settings.BACKUP_TO, at: '02:30', keep: { days: 1, months: 0 } },
      },
    }
    await fill()
    await backupJob.run(context, await claimNext())
    const name = 'kept/podkeeper-daily-2026-11-22T00-30-00.jsonl.gz'
    expect(await store.listKeys()).toEqual([name, `${name}.sha256`])
  })

  it('leaves no file when writing fails half-way', async () => {
    const config = parseConfig(settings)
    const place = await openBackupPlace(settings.BACKUP_TO, config)
    const broken = async function* () {
      for (let n = 0; n < 5; n++) yield Buffer.alloc(4 * 2 ** 20)
      throw new Error('The database went away')
    }
    await expect(place.write('podkeeper-daily-2026-10-02T00-30-00.jsonl.gz', broken())).rejects.toThrow('went away')
    expect((await place.list('podkeeper-daily-2026-10-02')).length).toBe(0)
    await expect(place.read('podkeeper-daily-2026-10-02T00-30-00.jsonl.gz')).rejects.toThrow('There is no such file.')
  })

  it('is refused without S3_ENDPOINT, with an unknown scheme or with an impossible time of day', () => {
    expect(() => parseConfig({ BACKUP_TO: 's3://podkeeper' })).toThrow('S3_ENDPOINT is required for backups in S3')
    expect(() => parseConfig({ BACKUP_TO: 'ftp://podkeeper' })).toThrow('BACKUP_TO must be a folder, or s3://')
    expect(() => parseConfig({ BACKUP_AT: '24:00' })).toThrow('BACKUP_AT must be a time of day such as 02:30')
  })
})
