import type { AppContext } from './context.ts'
import { foldRowCounts } from './db/row-counts.ts'
import { deleteExpiredSessions, deleteUnusedAddresses } from './modules/auth/auth.repository.ts'
import { startStatusScheduler } from './modules/bookings/status-scheduler.ts'
import { refreshSearchTexts } from './modules/search/refresh-texts.ts'
import { deleteUnusedImages } from './modules/uploads/uploads.service.ts'
import { type JobLog, type StopJob, startPeriodic } from './periodic.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** What can wait leaves the embedded engine's one session to those who have waited for the start. */
const firstAfterMs = 2_000

/**
 * Starts all that happens by itself. Every server runs every job, and none is elected: each step of a job is one
 * statement, or a transaction, that finds its own work and does no harm when another server has done it already.
 */
export function startJobs(context: AppContext, log: JobLog): StopJob {
  const stops = [
    startStatusScheduler(context, log),
    startPeriodic({
      name: 'expired sessions',
      everyMs: 15 * MINUTE,
      firstAfterMs,
      run: async () => {
        const now = context.clock.now()
        return (await deleteExpiredSessions(context.db, now)) + (await deleteUnusedAddresses(context.db, now))
      },
      log,
    }),
    startPeriodic({ name: 'row counts', everyMs: MINUTE, firstAfterMs, run: () => foldRowCounts(context.db), log }),
    startPeriodic({
      name: 'search texts',
      everyMs: 5_000,
      firstAfterMs,
      run: () => refreshSearchTexts(context.db),
      log,
    }),
    startPeriodic({
      name: 'unused images',
      everyMs: 60 * MINUTE,
      firstAfterMs,
      // A picture is uploaded before the pod that carries it is saved: a form may stay open for a day.
      run: () => deleteUnusedImages(context, new Date(context.clock.now().getTime() - DAY)),
      log,
    }),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
