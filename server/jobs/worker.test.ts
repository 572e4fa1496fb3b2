import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { enqueueJob, type Job, onJobsQueued } from './queue.ts'
import { type JobKind, PermanentFailure, startWorker, type Worker } from './worker.ts'

const test = useTestApp()
const workers: Worker[] = []

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()))
})

const logged: unknown[] = []
const log = { info: () => undefined, error: (details: object) => logged.push(details) }

/** Starts a worker that looks for jobs when it is woken, and hardly ever by itself. */
function start(kind: Partial<JobKind<unknown>> & Pick<JobKind<unknown>, 'run'>, options = {}) {
  const kinds = { send: { title: 'Sending', ...kind } }
  const { db, clock } = test
  const worker = startWorker({ context: { db, clock }, kinds, concurrency: 4, log, pollMs: 600_000, ...options })
  workers.push(worker)
  return worker
}

const enqueue = (key: string, payload = {}) =>
  enqueueJob(test.db, { kind: 'send', key, payload, runAt: test.clock.now() })

const read = (key: string) => test.db.selectFrom('jobs').selectAll().where('key', '=', key).execute()
const readOne = async (key: string) => (await read(key)).at(-1)

/** Creates a gate that holds runs until it is opened. */
function createGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

describe('enqueueJob', () => {
  it('queues a job within its transaction, and notifies listeners only after the commit', async () => {
    const told: string[] = []
    const stop = onJobsQueued(() => told.push('queued'))
    const queue = (fails: boolean) =>
      inTransaction(test.db, async (tx) => {
        await enqueueJob(tx, { kind: 'send', key: 'a', runAt: test.clock.now() })
        expect(told).toEqual([])
        if (fails) throw new Error('undone')
      })
    await expect(queue(true)).rejects.toThrow('undone')
    expect(await read('a')).toEqual([])
    expect(told).toEqual([])
    await queue(false)
    expect(await read('a')).toHaveLength(1)
    expect(told).toEqual(['queued'])
    stop()
  })

  it('reschedules the open job of a key under a new id, and creates another once that job is done', async () => {
    await enqueue('a', { hour: 9 })
    const [first] = await read('a')
    await test.db.updateTable('jobs').set({ tries: 3, last_error: '451 try again later' }).execute()
    test.clock.set('2026-11-21T10:00:00.000Z')
    await enqueue('a', { hour: 10 })
    const again = { run_at: test.clock.now(), tries: 0, last_error: null }
    expect(await read('a')).toMatchObject([{ payload: { hour: 10 }, ...again }])
    const ran: Job[] = []
    const worker = start({ run: async (_context, job) => void ran.push(job) })
    await expect.poll(async () => (await readOne('a'))?.done_at).not.toBeNull()
    expect(ran).toHaveLength(1)
    expect(ran[0]?.id).not.toBe(first?.id)
    await enqueue('a', { hour: 11 })
    worker.wake()
    await expect.poll(() => ran.map(({ payload }) => payload.hour)).toEqual([10, 11])
  })

  it('reruns a job that is rescheduled while it runs, but never twice at once', async () => {
    const gate = createGate()
    const ran: unknown[] = []
    await enqueue('a', { n: 1 })
    const worker = start({
      run: async (_context, { payload }) => {
        ran.push(payload.n)
        await gate.opened
      },
    })
    await expect.poll(() => ran).toEqual([1])
    await enqueue('a', { n: 2 })
    const other = start({ run: async (_context, { payload }) => void ran.push(payload.n) })
    await other.stop()
    expect(ran).toEqual([1])
    gate.open()
    await expect.poll(async () => (await readOne('a'))?.lease_id).toBeNull()
    worker.wake()
    await expect.poll(() => ran).toEqual([1, 2])
    await worker.stop()
    expect(await read('a')).toMatchObject([{ payload: { n: 2 }, done_at: test.clock.now() }])
  })
})

describe('workers', () => {
  it('share the jobs, and run each job once', async () => {
    const keys = Array.from({ length: 40 }, (_, n) => `job ${n}`)
    for (const key of keys) await enqueue(key)
    const ran: string[] = []
    const run = async (_context: unknown, { key }: Job) => {
      ran.push(key)
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (let n = 0; n < 3; n++) start({ run })
    await expect.poll(() => ran.length).toBe(keys.length)
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(ran.toSorted()).toEqual(keys.toSorted())
    expect(await test.db.selectFrom('jobs').select('key').where('done_at', 'is', null).execute()).toEqual([])
  })

  it('take over an unfinished job of another server once its lease has expired', async () => {
    await enqueue('a')
    const gate = createGate()
    const ran: string[] = []
    const stuck = start({
      run: async () => {
        ran.push('first')
        await gate.opened
      },
    })
    await expect.poll(() => ran).toEqual(['first'])
    const other = start({ run: async () => void ran.push('second') })
    test.clock.set(new Date(test.clock.now().getTime() + 29_999))
    other.wake()
    await enqueue('b')
    other.wake()
    await expect.poll(async () => (await readOne('b'))?.done_at).not.toBeNull()
    expect(ran).toEqual(['first', 'second'])
    test.clock.set(new Date(test.clock.now().getTime() + 1))
    other.wake()
    await expect.poll(async () => (await readOne('a'))?.done_at).not.toBeNull()
    expect(ran).toEqual(['first', 'second', 'second'])
    const done = await readOne('a')
    test.clock.set(new Date(test.clock.now().getTime() + 1))
    gate.open()
    await stuck.stop()
    expect(await readOne('a')).toEqual(done)
  })

  it('extend the lease of a job while they run it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await enqueue('a')
    const gate = createGate()
    start({ run: () => gate.opened })
    await expect.poll(async () => (await readOne('a'))?.tries).toBe(1)
    test.clock.set('2026-11-21T12:00:00.000Z')
    // Before it ends: after 30 seconds another server takes the job.
    await vi.advanceTimersByTimeAsync(20_000)
    const extended = new Date('2026-11-21T12:00:30.000Z')
    await expect.poll(async () => (await readOne('a'))?.lease_until).toEqual(extended)
    gate.open()
  })

  it('leave jobs of unknown kinds to other servers', async () => {
    await enqueueJob(test.db, { kind: 'of a newer release', key: 'a', runAt: test.clock.now() })
    await enqueue('b')
    start({ run: async () => undefined })
    await expect.poll(async () => (await readOne('b'))?.done_at).not.toBeNull()
    expect(await readOne('a')).toMatchObject({ tries: 0, done_at: null })
  })
})

describe('a job that fails', () => {
  const fail = async () => {
    throw new Error('451 try again later')
  }
  const MINUTES = 60_000

  it('is retried after pauses that grow to an hour, with random variation, and is given up after ten attempts', async () => {
    await enqueue('a')
    const failed: boolean[] = []
    const worker = start({ run: fail, setFailed: async (_tx, _job, isFailed) => void failed.push(isFailed) })
    const most = [5, 15, 45, 135, 405, 1215, 3600, 3600, 3600].map((seconds) => seconds * 1000)
    const shares = new Set<number>()
    for (const [index, pause] of most.entries()) {
      worker.wake()
      await expect.poll(() => readOne('a')).toMatchObject({ tries: index + 1, lease_id: null })
      const job = await readOne('a')
      expect(job).toMatchObject({ last_error: '451 try again later', dead_at: null })
      const waits = (job?.run_at.getTime() ?? 0) - test.clock.now().getTime()
      expect(waits).toBeGreaterThanOrEqual(pause / 2)
      expect(waits).toBeLessThanOrEqual(pause)
      shares.add(waits / pause)
      test.clock.set(job?.run_at ?? '')
    }
    expect(shares.size).toBeGreaterThan(1)
    expect(failed).toEqual([])
    worker.wake()
    await expect.poll(() => readOne('a')).toMatchObject({ tries: 10, dead_at: test.clock.now(), done_at: null })
    expect(failed).toEqual([true])
  })

  it('is given up at once after a permanent failure', async () => {
    await enqueue('a')
    const worker = start({
      run: async () => {
        throw new PermanentFailure('550 no such person')
      },
    })
    await expect.poll(() => readOne('a')).toMatchObject({ tries: 1, last_error: '550 no such person' })
    expect(await readOne('a')).toMatchObject({ dead_at: test.clock.now() })
    await enqueue('b')
    worker.wake()
    await expect.poll(() => readOne('b')).toMatchObject({ dead_at: test.clock.now() })
    expect(await readOne('a')).toMatchObject({ tries: 1 })
  })

  it('is given up when the server was killed at every attempt', async () => {
    await enqueue('a')
    await test.db.updateTable('jobs').set({ tries: 10 }).execute()
    const ran: string[] = []
    start({ run: async () => void ran.push('a') })
    await expect.poll(() => readOne('a')).toMatchObject({ dead_at: test.clock.now() })
    expect(ran).toEqual([])
  })

  it('is retried for ever when it is a sweep, which runs on one server at a time', async () => {
    let runs = 0
    const run = async () => {
      runs += 1
      if (runs === 1) throw new Error('the first time')
      // The next run is planned from the beginning of this one.
      test.clock.set(new Date(test.clock.now().getTime() + 1_000))
      return 1
    }
    const both = [start({ run, everyMs: MINUTES }), start({ run, everyMs: MINUTES })]
    await expect.poll(() => readOne('send')).toMatchObject({ last_error: 'the first time', lease_id: null })
    for (const worker of both) worker.wake()
    // Otherwise one of them might still plan by the clock as it was.
    await Promise.all(both.map((worker) => worker.stop()))
    expect(await readOne('send')).toMatchObject({ tries: 0, max_tries: null, dead_at: null })
    expect(runs).toBe(1)
    test.clock.set(new Date(test.clock.now().getTime() + MINUTES))
    start({ run, everyMs: MINUTES })
    start({ run, everyMs: MINUTES })
    await expect.poll(() => readOne('send')).toMatchObject({ last_error: null, lease_id: null })
    expect(runs).toBe(2)
    expect(await read('send')).toMatchObject([{ run_at: new Date(test.clock.now().getTime() - 1_000 + MINUTES) }])
  })
})

describe('a sweep', () => {
  it('runs again at once when a clock that was ahead has planned it for later', async () => {
    let runs = 0
    const run = async () => {
      runs += 1
    }
    const everyMs = 60_000
    const worker = start({ run, everyMs })
    await expect.poll(() => runs).toBe(1)
    await expect.poll(() => readOne('send')).toMatchObject({ lease_id: null })
    test.clock.set(new Date(test.clock.now().getTime() - 2 * 3_600_000))
    worker.wake()
    await expect.poll(() => runs).toBe(2)
    const planned = { run_at: new Date(test.clock.now().getTime() + everyMs), lease_id: null }
    await expect.poll(() => read('send')).toMatchObject([planned])
    // It stays as planned when another server starts.
    const another = start({ run, everyMs })
    another.wake()
    await another.stop()
    expect(await read('send')).toMatchObject([planned])
  })
})
