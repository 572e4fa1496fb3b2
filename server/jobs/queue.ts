import { type Selectable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { FailedJobListQuery } from '#contract/failed-jobs.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { toListOrder } from '#server/db/lists/pagination.ts'
import { hasWords, readPlainPage } from '#server/db/lists/plain-page.ts'
import type { JobsTable } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transaction.ts'
import { isId } from '#server/ids.ts'

/** The table `jobs`: work to be done outside the database, queued in the transaction that makes it necessary. */

type NewJob = {
  kind: string
  /** What the job is about. Only one job per key is open at a time. */
  key: string
  payload?: Record<string, unknown>
  runAt: Date
  /** Leaves an open job with this key unchanged. */
  keepsPlan?: boolean
}

/** Tries of a queued job; sweeps are tried for ever. */
const MAX_TRIES = 10

/**
 * Queues a job in the transaction of the change that makes it necessary. An open job with the same key is planned again:
 * it gets the new payload, time and id, and runs again if it is already running.
 */
export async function enqueueJob(db: Db | Tx, { kind, key, payload = {}, runAt, keepsPlan }: NewJob): Promise<void> {
  const planAgain = sql`do update
       set id = excluded.id, kind = excluded.kind, payload = excluded.payload, run_at = excluded.run_at, tries = 0,
           max_tries = excluded.max_tries, last_error = null`
  await sql`
    insert into jobs (kind, key, payload, run_at, max_tries)
    values (${kind}, ${key}, ${JSON.stringify(payload)}, ${runAt}, ${MAX_TRIES})
    on conflict (key) where done_at is null and dead_at is null ${keepsPlan ? sql`do nothing` : planAgain}`.execute(db)
  afterCommit(announceJobs)
}

const listeners = new Set<() => void>()

/** Calls `listener` whenever this process has queued a job. Returns a function that stops this. */
export function onJobsQueued(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function announceJobs(): void {
  for (const listener of listeners) listener()
}

type Sweep = { kind: string; everyMs: number }

/** Plans sweeps that are not planned yet, and again those that a clock ahead of this one has planned for much later. */
export async function planSweeps(db: Db, sweeps: readonly Sweep[], now: Date): Promise<void> {
  const kinds = sweeps.map(({ kind }) => kind)
  await sql`
    insert into jobs (kind, key, run_at) select kind, kind, ${now} from unnest(${kinds}::text[]) as kind
    on conflict (key) where done_at is null and dead_at is null do nothing`.execute(db)
  const latest = sweeps.map(({ everyMs }) => new Date(now.getTime() + everyMs))
  await sql`
    update jobs set run_at = ${now} from unnest(${kinds}::text[], ${latest}::timestamptz[]) as sweep (kind, latest)
     where key = sweep.kind and done_at is null and dead_at is null and run_at > latest`.execute(db)
}

/** A claimed job. Its id is the same at each try, so that a receiver of its effect can recognise repetitions. */
export type Job = Pick<
  Selectable<JobsTable>,
  'id' | 'kind' | 'key' | 'payload' | 'tries' | 'max_tries' | 'last_error' | 'lease_id' | 'request_id'
>

/** Claims due jobs until `leaseUntil`. Jobs that another server has claimed are left to it. */
export async function claimJobs(
  db: Db,
  { kinds, limit, now, leaseUntil }: { kinds: readonly string[]; limit: number; now: Date; leaseUntil: Date },
): Promise<Job[]> {
  const { rows } = await sql<Job>`
    with due as (
      select id from jobs
       where done_at is null and dead_at is null and run_at <= ${now} and kind = any(${kinds})
         and (lease_until is null or lease_until <= ${now})
       order by run_at limit ${limit}
         for update skip locked
    )
    update jobs set lease_id = gen_random_uuid(), lease_until = ${leaseUntil}, tries = tries + 1
      from due where jobs.id = due.id
    returning jobs.id, kind, key, payload, tries, max_tries, last_error, lease_id, request_id`.execute(db)
  return rows
}

export async function extendLease(db: Db, job: Job, leaseUntil: Date): Promise<void> {
  await ofLease(db, job).set({ lease_until: leaseUntil }).execute()
}

/**
 * Stores the outcome of a run: done, dead, or to run again. A job that was planned again meanwhile keeps its new plan.
 */
export async function endRun(db: Db | Tx, job: Job, outcome: Updateable<JobsTable>): Promise<void> {
  const released = { lease_id: null, lease_until: null }
  const { numUpdatedRows } = await ofLease(db, job)
    .where('id', '=', job.id)
    .set({ ...outcome, ...released })
    .executeTakeFirst()
  if (numUpdatedRows === 0n) await ofLease(db, job).set(released).execute()
}

/** Updates a job under its lease; matches nothing once another server has claimed the job. */
function ofLease(db: Db | Tx, { key, lease_id }: Job) {
  return db.updateTable('jobs').where('key', '=', key).where('lease_id', '=', lease_id)
}

/**
 * Queues a job again that was given up; undefined when there is none. If its key has been queued again meanwhile, that
 * job stays and the one that was given up is deleted.
 */
export async function retryJob(tx: Tx, by: 'id' | 'key', value: string, now: Date): Promise<Job | undefined> {
  const dead = await lockDeadJob(tx, by, value)
  if (!dead) return undefined
  await deleteDeadJobs(tx, 'key', dead.key)
  await sql`
    insert into jobs (id, kind, key, payload, run_at, max_tries, created_at)
    values (${dead.id}, ${dead.kind}, ${dead.key}, ${JSON.stringify(dead.payload)}, ${now}, ${MAX_TRIES}, ${dead.created_at})
    on conflict (key) where done_at is null and dead_at is null do nothing`.execute(tx)
  afterCommit(announceJobs)
  return dead
}

/** A job that has been tried, and waits for its next try. */
export const isWaiting = sql<boolean>`(jobs.done_at is null and jobs.dead_at is null and jobs.lease_id is null and jobs.tries > 0)`

/**
 * Runs a job at once that waits for its next try, under the same id. Returns false when none waits: it has not been
 * tried yet, or is running.
 */
export async function hurryJob(tx: Tx, key: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set({ run_at: now })
    .where('key', '=', key)
    .where(isWaiting)
    .executeTakeFirst()
  const isHurried = numUpdatedRows === 1n
  if (isHurried) afterCommit(announceJobs)
  return isHurried
}

async function lockDeadJob(tx: Tx, by: 'id' | 'key', value: string) {
  return selectDead(tx).where(by, '=', value).executeTakeFirst()
}

/** Locks those of the jobs that were given up. */
export async function lockDeadJobs(tx: Tx, ids: readonly string[]): Promise<Job[]> {
  return selectDead(tx)
    .where(sql<boolean>`id = any(${ids.filter(isId)}::uuid[])`)
    .orderBy('id')
    .execute()
}

const selectDead = (tx: Tx) => tx.selectFrom('jobs').selectAll().where('dead_at', 'is not', null).forUpdate()

/** Deletes a job that was given up, or all those of a key. */
export async function deleteDeadJobs(tx: Tx, by: 'id' | 'key', value: string): Promise<void> {
  await tx.deleteFrom('jobs').where(by, '=', value).where('dead_at', 'is not', null).execute()
}

export async function countDeadJobs(db: Db): Promise<number> {
  const { jobs } = await db
    .selectFrom('jobs')
    .where('dead_at', 'is not', null)
    .select(({ fn }) => fn.countAll<number>().as('jobs'))
    .executeTakeFirstOrThrow()
  return jobs
}

const deadOrder = {
  failedAt: { by: sql.ref('jobs.dead_at'), type: 'timestamptz', id: sql.ref('jobs.id') },
} as const

/** Lists jobs that were given up. A search looks at the titles of their kinds, which staff see, and at the errors. */
export async function listDeadJobs(
  db: Db,
  query: z.output<typeof FailedJobListQuery>,
  titles: Readonly<Record<string, string>>,
) {
  const title = sql`coalesce(${JSON.stringify(titles)}::jsonb ->> kind, '')`
  const rows = db
    .selectFrom('jobs')
    .select(['id', 'kind', 'key', 'payload', 'tries', 'last_error', 'created_at', 'dead_at'])
    .where('dead_at', 'is not', null)
    .where(hasWords(sql`${title} || ' ' || kind || ' ' || key || ' ' || last_error`, query.search))
  return readPlainPage(db, rows, toListOrder(deadOrder, query.sort, '-failedAt'), query)
}

/** Deletes jobs that were done, or given up, at or before these times, and returns their number. */
export async function deleteEndedJobs(db: Db, { done, dead }: { done: Date; dead: Date }): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('jobs')
    .where((is) => is.or([is('done_at', '<=', done), is('dead_at', '<=', dead)]))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
