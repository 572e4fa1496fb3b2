import type { AppContext } from './context.ts'
import { refreshSearchTexts } from './db/lists/refresh-search-texts.ts'
import { foldRowCounts } from './db/lists/row-counts.ts'
import { deleteExpiredSessions, deleteUnusedAddresses } from './modules/auth/auth.repository.ts'
import { advanceBookings } from './modules/bookings/status-scheduler.ts'
import { deleteUnusedImages } from './modules/uploads/uploads.service.ts'
import { type JobLog, type StopJob, startPeriodic } from './periodic.ts'

type Job = {
  name: string
  everyMs: number
  /** Runs as soon as the server starts. Other jobs leave the database to the first requests. */
  atOnce?: boolean
  /** How many records it changed. */
  run: (context: AppContext) => Promise<number>
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
const FIRST_AFTER_MS = 2 * SECOND

/** All periodic jobs. */
const jobs: readonly Job[] = [
  {
    name: 'booking statuses',
    everyMs: 15 * SECOND,
    atOnce: true,
    run: ({ db, clock, config }) => advanceBookings(db, clock.now(), config.businessTimeZone),
  },
  { name: 'expired sessions', everyMs: 15 * MINUTE, run: ({ db, clock }) => deleteExpiredSessions(db, clock.now()) },
  { name: 'unused addresses', everyMs: 15 * MINUTE, run: ({ db, clock }) => deleteUnusedAddresses(db, clock.now()) },
  { name: 'row counts', everyMs: MINUTE, run: ({ db }) => foldRowCounts(db) },
  { name: 'search texts', everyMs: 5 * SECOND, run: ({ db }) => refreshSearchTexts(db) },
  {
    name: 'unused images',
    everyMs: 60 * MINUTE,
    // An image is uploaded before its pod is saved, and a form may stay open for a day.
    run: (context) => deleteUnusedImages(context, new Date(context.clock.now().getTime() - DAY)),
  },
]

/**
 * Every server runs every job: each step is one statement or transaction that finds its own work and does no harm when
 * another server has done it already.
 */
export function startJobs(context: AppContext, log: JobLog): StopJob {
  const stops = jobs.map(({ name, everyMs, atOnce, run }) =>
    startPeriodic({
      name,
      everyMs,
      ...(atOnce ? {} : { firstAfterMs: FIRST_AFTER_MS }),
      run: () => run(context),
      log,
    }),
  )
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
