import { type Insertable, sql } from 'kysely'
import type { Db } from '#server/db/client.ts'
import type { BackupsTable } from '#server/db/schema.ts'

export async function createBackupRow(db: Db, backup: Insertable<BackupsTable>): Promise<void> {
  await db.insertInto('backups').values(backup).execute()
}

/** Leaves out a backup that was made while a clock was ahead: until that time it would pass for the last one. */
export async function findLastBackup(db: Db, now: Date) {
  const past = db.selectFrom('backups').selectAll().where('made_at', '<=', now)
  return past.orderBy('made_at', 'desc').limit(1).executeTakeFirst()
}

export async function findBackupOfJob(db: Db, jobId: string) {
  return db.selectFrom('backups').select('name').where('job_id', '=', jobId).executeTakeFirst()
}

export async function deleteBackupRows(db: Db, names: readonly string[]): Promise<void> {
  if (names.length > 0) await db.deleteFrom('backups').where('name', 'in', names).execute()
}

/** Lists the open jobs of a kind (planned, due or under way), by time. */
export async function listOpenJobs(db: Db, kind: string) {
  return db
    .selectFrom('jobs')
    .select(['id', 'key', 'run_at', 'lease_until'])
    .where('kind', '=', kind)
    .where(sql<boolean>`done_at is null and dead_at is null`)
    .orderBy('run_at')
    .execute()
}
