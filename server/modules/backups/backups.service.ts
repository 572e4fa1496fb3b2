import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { toDate, toInstant, toWallClock } from '#contract/slots.ts'
import { type BackupPlace, openBackupPlace } from '#server/backup/backup-place.ts'
import { chooseOutdated } from '#server/backup/choose-outdated.ts'
import { CHECKED, keepBackup } from '#server/backup/keep-backup.ts'
import type { AppContext } from '#server/context.ts'
import { enqueueJob } from '#server/jobs/queue.ts'
import type { JobKind } from '#server/jobs/worker.ts'
import {
  createBackupRow,
  deleteBackupRows,
  findBackupOfJob,
  findLastBackup,
  listOpenJobs,
} from './backups.repository.ts'

/**
 * Scheduled backups (rules §39.3). Each day has a job that is planned ahead, so that a server that was down at that
 * time makes the backup when it is up again.
 */
export const BACKUP_JOB = 'backup'

/** Only daily backups have this prefix, and no other file is ever deleted: `npm run backup` uses other names. */
const PREFIX = 'podkeeper-daily-'
const NAME = /^podkeeper-daily-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})\.jsonl\.gz$/
const toName = (moment: Date) => `${PREFIX}${moment.toISOString().slice(0, 19).replaceAll(':', '-')}.jsonl.gz`

/** Reads a backup's start time from its file name; undefined for other files. */
function toMoment(name: string): Date | undefined {
  const [, day, hours, minutes, seconds] = NAME.exec(name) ?? []
  return day === undefined ? undefined : new Date(`${day}T${hours}:${minutes}:${seconds}.000Z`)
}

export const backupJob: JobKind<AppContext> = {
  title: 'Making the daily backup',
  async run(context, job, stopping) {
    const { backup } = context.config
    if (!backup) return
    if (await isUnderWay(context, job.id)) throw new Error('Another backup is being made. This one is made after it.')
    const place = await openBackupPlace(backup.to, context.config)
    await place.deleteUnfinished(PREFIX)
    // In a retry after only the deletion of old backups failed, the backup exists already.
    const isMade = (await findBackupOfJob(context.db, job.id)) !== undefined
    const missingImages = isMade ? 0 : await makeBackup(context, place, job.id, stopping)
    await deleteOutdated(context, place, backup.keep)
    return { changed: 1, ...(missingImages > 0 && { missingImages }) }
  },
}

/** Returns the number of images that the database names and the storage does not have. */
async function makeBackup(
  context: AppContext,
  place: BackupPlace,
  jobId: string,
  signal?: AbortSignal,
): Promise<number> {
  const { db, storage, clock, readAtLength } = context
  const made_at = clock.now()
  const name = toName(made_at)
  const { rows, images, bytes, sha256, missingImages } = await keepBackup({
    read: readAtLength,
    storage,
    place,
    name,
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : error
  })
  await createBackupRow(db, { name, job_id: jobId, made_at, bytes, rows, images, sha256, checked_at: clock.now() })
  return missingImages
}

/** Throws unless a backup could be written, which would otherwise show only at night: writes a small file, and deletes it. */
export async function probeBackupPlace({ config }: Pick<AppContext, 'config'>): Promise<void> {
  if (!config.backup) return
  const place = await openBackupPlace(config.backup.to, config)
  // A name of its own: servers that start together write to the same place.
  const name = `podkeeper-probe-${randomUUID()}`
  await place.write(name, Readable.from([Buffer.from('probe')]))
  await place.delete(name)
}

async function deleteOutdated(
  { db, clock, config }: AppContext,
  place: BackupPlace,
  keep: { days: number; months: number },
): Promise<void> {
  const now = clock.now()
  const names = (await place.list(PREFIX)).map(({ name }) => name)
  const checked = new Set(names)
  const backups = names.flatMap((name) => {
    const moment = toMoment(name)
    // One that was made while a clock was ahead would take the place of those that are made until then.
    if (!moment || moment > now) return []
    const wallClock = toWallClock(moment, config.businessTimeZone)
    return [{ name, wallClock, isChecked: checked.has(`${name}${CHECKED}`) }]
  })
  const outdated = chooseOutdated(backups, keep)
  for (const name of outdated) {
    // The checksum goes first: a file that has one counts as a whole backup.
    await place.delete(`${name}${CHECKED}`)
    await place.delete(name)
  }
  await deleteBackupRows(db, outdated)
}

/** Returns whether a server is making a backup now, by a job other than `exceptId`. */
export async function isUnderWay({ db, clock }: AppContext, exceptId?: string): Promise<boolean> {
  const now = clock.now()
  const jobs = await listOpenJobs(db, BACKUP_JOB)
  return jobs.some(({ id, lease_until }) => id !== exceptId && lease_until !== null && lease_until > now)
}

/** Sweep: plans the next backup, at its time of day in the business time zone. */
export async function planBackup({ db, clock, config }: AppContext): Promise<void> {
  if (!config.backup) return
  const runAt = toNextTime(clock.now(), config.backup.at, config.businessTimeZone)
  const key = `${BACKUP_JOB} ${toDate(toWallClock(runAt, config.businessTimeZone))}`
  const planned = (await listOpenJobs(db, BACKUP_JOB)).find((job) => job.key === key)
  if (planned?.run_at.getTime() === runAt.getTime()) return
  await enqueueJob(db, { kind: BACKUP_JOB, key, runAt })
}

/** Returns the next instant at which clocks in the time zone show `timeOfDay`. */
export function toNextTime(now: Date, timeOfDay: string, timeZone: string): Date {
  const today = toDate(toWallClock(now, timeZone))
  const atDay = (days: number) => {
    const wallClock = new Date(`${today}T${timeOfDay}:00.000Z`)
    wallClock.setUTCDate(wallClock.getUTCDate() + days)
    return toInstant(wallClock, timeZone)
  }
  const first = atDay(0)
  return first > now ? first : atDay(1)
}

/** Returns the last good backup and when the next is due, for staff and monitoring. */
export async function getBackups({ db, clock, config }: AppContext) {
  if (!config.backup) return { isOn: false, last: null, nextAt: null }
  const [last, [next]] = [await findLastBackup(db, clock.now()), await listOpenJobs(db, BACKUP_JOB)]
  return {
    isOn: true,
    last: last
      ? {
          madeAt: last.made_at.toISOString(),
          checkedAt: last.checked_at.toISOString(),
          bytes: last.bytes,
          rows: last.rows,
          images: last.images,
        }
      : null,
    nextAt: next?.run_at.toISOString() ?? null,
  }
}
