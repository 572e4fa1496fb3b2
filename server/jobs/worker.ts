import { randomInt } from 'node:crypto'
import { SpanStatusCode, trace } from '@opentelemetry/api'
import { HOUR } from '#contract/durations.ts'
import type { Clock } from '#server/clock.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { TRACER } from '#server/tracer.ts'
import { claimJobs, endRun, extendLease, type Job, planSweeps } from './queue.ts'

export type JobKind<Context> = {
  /** The name of the work, which staff see when it fails. */
  title: string
  /**
   * Makes the job a sweep: it runs again this long after its last run began, on one server at a time, and is never
   * given up.
   */
  everyMs?: number
  /**
   * Does the work, outside any transaction; returns the number of changes, or several numbers, for the log. It may run
   * more than once per job, for example when the server is killed just after the effect. A long run has to end when
   * `stopping` is aborted, and is repeated.
   */
  run: (context: Context, job: Job, stopping?: AbortSignal) => Promise<number | Record<string, number> | void>
  /** Updates the job's record when the job is given up (true), and when staff have it tried again (false). */
  setFailed?: (tx: Tx, job: Pick<Job, 'payload' | 'last_error'>, failed: boolean) => Promise<void>
  /** Called after each run, once its outcome has been stored. */
  afterRun?: (context: Context, job: Job) => void
}

/** A subset of pino's. */
export type JobLog = {
  info(details: object, message: string): void
  error(details: object, message: string): void
}

/** An error that another try would not mend: the job is given up at once. */
export class PermanentFailure extends Error {}

type WorkerOptions<Context> = {
  context: Context
  kinds: Readonly<Record<string, JobKind<Context>>>
  /** Called when no jobs could be claimed, because the database is away. */
  afterFailedClaim?: () => void
  /** Called once a job has been given up. */
  afterGivingUp?: () => void
  /** Maximum number of jobs that run at the same time. */
  concurrency: number
  log: JobLog
  firstAfterMs?: number
  pollMs?: number
  /** Duration of a lease: how long a job stays with a server that was killed. A running server extends it. */
  leaseMs?: number
}

export type Worker = {
  /** Looks for due jobs now. */
  wake: () => void
  /** Resolves when all running jobs have ended. */
  stop: () => Promise<void>
}

const POLL_MS = 5_000
/** How often sweeps are planned that are not, for example because a clock was ahead. */
const PLAN_EVERY_MS = 600_000
const LEASE_MS = 30_000

/** Runs the jobs of some kinds. Every server has workers, and they share the work. */
export function startWorker<Context extends { db: Db; clock: Clock }>({
  context,
  kinds,
  concurrency,
  log,
  afterFailedClaim,
  afterGivingUp,
  firstAfterMs = 0,
  pollMs = POLL_MS,
  leaseMs = LEASE_MS,
}: WorkerOptions<Context>): Worker {
  const { db, clock } = context
  const names = Object.keys(kinds)
  const sweeps = Object.entries(kinds).flatMap(([kind, { everyMs }]) =>
    everyMs === undefined ? [] : [{ kind, everyMs }],
  )
  const running = new Set<Promise<void>>()
  let plannedAt = Number.NEGATIVE_INFINITY
  let mayBeMore = false
  let claiming: Promise<void> | undefined
  const stopping = new AbortController()
  let isWoken = false

  const now = () => clock.now()
  const later = (ms: number, from = now()) => new Date(from.getTime() + ms)

  function wake(): void {
    if (stopping.signal.aborted) return
    isWoken = claiming !== undefined
    claiming ??= claim()
      .catch((err: unknown) => {
        log.error({ err }, 'jobs cannot be claimed')
        afterFailedClaim?.()
      })
      .finally(() => {
        claiming = undefined
        if (isWoken) wake()
      })
  }

  async function claim(): Promise<void> {
    const at = now()
    if (sweeps.length > 0 && Math.abs(at.getTime() - plannedAt) >= PLAN_EVERY_MS) {
      await planSweeps(db, sweeps, at)
      plannedAt = at.getTime()
    }
    const limit = concurrency - running.size
    if (limit <= 0) return
    const jobs = await claimJobs(db, { kinds: names, limit, now: now(), leaseUntil: later(leaseMs) })
    mayBeMore = jobs.length === limit
    for (const job of jobs) start(job)
  }

  function start(job: Job): void {
    const run = runOnce(job)
      .catch((err: unknown) => log.error({ job: job.kind, err }, 'the end of a job was not recorded; it runs again'))
      .finally(() => {
        running.delete(run)
        if (mayBeMore) wake()
      })
    running.add(run)
  }

  async function runOnce(job: Job): Promise<void> {
    const kind = kinds[job.kind]
    if (!kind) return // only these kinds are claimed
    const begun = now()
    const about = { job: job.kind, ...(job.request_id !== null && { reqId: job.request_id }) }
    const extending = setInterval(() => {
      extendLease(db, job, later(leaseMs)).catch((err: unknown) =>
        log.error({ job: job.kind, err }, 'lease not extended'),
      )
    }, leaseMs / 3).unref()
    const again = (ms: number, tries: number) => {
      // So that the job does not have to wait for the next poll.
      setTimeout(wake, ms).unref()
      return { run_at: later(ms, begun), tries }
    }
    try {
      // All tries are used up, each ended by the server being killed.
      if (isPast(job)) throw new PermanentFailure(job.last_error ?? 'The server stopped each time it was tried')
      const done = await inSpan(job, () => kind.run(context, job, stopping.signal))
      const numbers = typeof done === 'object' ? done : { changed: done }
      if (done) log.info({ ...about, ...numbers }, 'job done')
      const next = kind.everyMs === undefined ? { done_at: now() } : again(kind.everyMs, 0)
      await endRun(db, job, { ...next, last_error: null })
    } catch (err) {
      log.error({ ...about, id: job.id, tries: job.tries, err }, 'job failed')
      const last_error = err instanceof Error ? err.message : String(err)
      if (kind.everyMs !== undefined) await endRun(db, job, { ...again(kind.everyMs, 0), last_error })
      else if (isPast(job, 1) || err instanceof PermanentFailure) await giveUp(kind, { ...job, last_error })
      else await endRun(db, job, { ...again(toBackOff(job.tries), job.tries), last_error })
    } finally {
      clearInterval(extending)
      kind.afterRun?.(context, job)
    }
  }

  async function giveUp(kind: JobKind<Context>, job: Job): Promise<void> {
    await inTransaction(db, async (tx) => {
      await endRun(tx, job, { dead_at: now(), last_error: job.last_error })
      await kind.setFailed?.(tx, job, true)
    })
    afterGivingUp?.()
  }

  const first = setTimeout(wake, firstAfterMs).unref()
  const poll = setInterval(wake, pollMs).unref()
  return {
    wake,
    async stop() {
      stopping.abort(new Error('The server was stopped meanwhile'))
      clearTimeout(first)
      clearInterval(poll)
      await claiming
      await Promise.all(running)
    },
  }
}

/** Runs a job in a trace of its own, if tracing is on: the request that queued it has already been answered. */
function inSpan<T>({ kind, id, request_id }: Job, run: () => Promise<T>): Promise<T> {
  const attributes = { 'podkeeper.job_id': id, ...(request_id !== null && { 'podkeeper.request_id': request_id }) }
  return trace.getTracer(TRACER).startActiveSpan(`job ${kind}`, { attributes }, async (span) => {
    try {
      return await run()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

/** Whether the tries are used up, or would be after this many more. */
function isPast({ tries, max_tries }: Job, more = 0): boolean {
  return max_tries !== null && tries + more > max_tries
}

const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = HOUR

/**
 * Returns the pause before the next try: three times as long each time, so that ten tries outlast an hour without a
 * mail server, and with jitter, so that jobs that failed together spread out.
 */
function toBackOff(tries: number): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 3 ** (tries - 1))
  return randomInt(pause / 2, pause + 1)
}
