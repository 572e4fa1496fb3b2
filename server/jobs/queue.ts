import { type Selectable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { FailedJobListQuery } from '#contract/failed-jobs.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { toListOrder } from '#server/db/lists/pagination.ts'
import { hasWords, readPlainPage } from '#server/db/lists/plain-page.ts'
import type { JobsTable } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transaction.ts'

/** The table `jobs`: what is to be done outside the database, queued in the transaction that makes it necessary. */

export type NewJob = {
  kind: string
  /** What it is about: one job a key is open at a time. */
  key: string
  payload?: Record<string, unknown>
  runAt: Date
  /** Leaves an open job of the key as it is planned. */
  keepsPlan?: boolean
}

/** Sweeps are tried for ever. */
const MAX_TRIES = 10

/**
 * Queues work in the transaction of the change that makes it necessary. A job of that key which is still open is planned
 * anew: it gets the new payload, time and id, and runs again when it is running.
 */
export async function enqueueJob(db: Db | Tx, { kind, key, payload = {}, runAt, keepsPlan }: NewJob): Promise<void> {
  const planAnew = sql`do update
       set id = excluded.id, kind = excluded.kind, payload = excluded.payload, run_at = excluded.run_at, tries = 0,
           max_tries = excluded.max_tries, last_error = null`
  await sql`
    insert into jobs (kind, key, payload, run_at, max_tries)
    values (${kind}, ${key}, ${JSON.stringify(payload)}, ${runAt}, ${MAX_TRIES})
    on conflict (key) where done_at is null and dead_at is null ${keepsPlan ? sql`do nothing` : planAnew}`.execute(db)
  afterCommit(announceJobs)
}

const listeners = new Set<() => void>()

/** Calls whenever this process has queued a job. Returns what stops it. */
export function onJobsQueued(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function announceJobs(): void {
  for (const listener of listeners) listener()
}

/** Plans sweeps that are not planned yet. */
export async function planSweeps(db: Db, kinds: readonly string[], now: Date): Promise<void> {
  await sql`
    insert into jobs (kind, key, run_at) select kind, kind, ${now} from unnest(${kinds}::text[]) as kind
    on conflict (key) where done_at is null and dead_at is null do nothing`.execute(db)
}

/** A job that is claimed. Its id, the same at each try, tells whoever receives the effect a repetition from a new one. */
export type Job = Pick<
  Selectable<JobsTable>,
  'id' | 'kind' | 'key' | 'payload' | 'tries' | 'max_tries' | 'last_error' | 'lease_id' | 'request_id'
>

/** Claims due jobs for as long as the lease. Those that another server has in hand are left to it. */
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

/** What becomes of the job after a run: done, dead, or to run again. One that was planned anew meanwhile stays so. */
export async function endRun(db: Db | Tx, job: Job, outcome: Updateable<JobsTable>): Promise<void> {
  const released = { lease_id: null, lease_until: null }
  const { numUpdatedRows } = await ofLease(db, job)
    .where('id', '=', job.id)
    .set({ ...outcome, ...released })
    .executeTakeFirst()
  if (numUpdatedRows === 0n) await ofLease(db, job).set(released).execute()
}

/** Nothing, once the lease has run out and another server has claimed the job. */
function ofLease(db: Db | Tx, { key, lease_id }: Job) {
  return db.updateTable('jobs').where('key', '=', key).where('lease_id', '=', lease_id)
}

/**
 * Has a job that was given up tried again; undefined when there is none. Where its key has been queued again meanwhile,
 * that one stays, and the job that was given up is no more.
 */
export async function retryJob(tx: Tx, by: 'id' | 'key', value: string, now: Date): Promise<Job | undefined> {
  const dead = await tx
    .selectFrom('jobs')
    .selectAll()
    .where(by, '=', value)
    .where('dead_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (!dead) return undefined
  await tx.deleteFrom('jobs').where('key', '=', dead.key).where('dead_at', 'is not', null).execute()
  await sql`
    insert into jobs (id, kind, key, payload, run_at, max_tries, created_at)
    values (${dead.id}, ${dead.kind}, ${dead.key}, ${JSON.stringify(dead.payload)}, ${now}, ${MAX_TRIES}, ${dead.created_at})
    on conflict (key) where done_at is null and dead_at is null do nothing`.execute(tx)
  afterCommit(announceJobs)
  return dead
}

const deadOrder = {
  failedAt: { by: sql.ref('jobs.dead_at'), type: 'timestamptz', id: sql.ref('jobs.id') },
} as const

/** Those that were given up. */
export async function listDeadJobs(db: Db, query: z.output<typeof FailedJobListQuery>) {
  const rows = db
    .selectFrom('jobs')
    .select(['id', 'kind', 'key', 'tries', 'last_error', 'created_at', 'dead_at'])
    .where('dead_at', 'is not', null)
    .where(hasWords(sql`lower(kind || ' ' || key || ' ' || last_error)`, query.search))
  return readPlainPage(db, rows, toListOrder(deadOrder, query.sort, '-failedAt'), query)
}

/** Returns how many there were. */
export async function deleteDoneJobs(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('jobs').where('done_at', '<=', before).executeTakeFirst()
  return Number(numDeletedRows)
}
