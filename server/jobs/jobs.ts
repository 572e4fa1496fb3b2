import { DAY, MINUTE, SECOND } from '#contract/durations.ts'
import type { AppContext } from '#server/context.ts'
import { refreshSearchTexts } from '#server/db/lists/refresh-search-texts.ts'
import { foldRowCounts } from '#server/db/lists/row-counts.ts'
import type { Notifications } from '#server/db/notifications.ts'
import { dropPartitions, makePartitions } from '#server/db/partitions.ts'
import { deleteExpiredSessions, deleteUnusedAddresses } from '#server/modules/auth/auth.repository.ts'
import { LINK_JOB, passwordLinkJob } from '#server/modules/auth/password-links.ts'
import { BACKUP_JOB, backupJob, isUnderWay, planBackup } from '#server/modules/backups/backups.service.ts'
import { releaseNoShows } from '#server/modules/bookings/arrivals.service.ts'
import { toBusinessNow } from '#server/modules/bookings/bookings.service.ts'
import { advanceBookings } from '#server/modules/bookings/status-scheduler.ts'
import { followAllClosures } from '#server/modules/closures/blocking.ts'
import { planClosures } from '#server/modules/closures/plan-closures.ts'
import { deleteExpiredKeys } from '#server/modules/idempotency/create-once.ts'
import { LIVE_CHANNEL } from '#server/modules/live/server-messages.ts'
import { deleteMails } from '#server/modules/mail/mail.repository.ts'
import { MAIL_JOB, mailJob } from '#server/modules/mail/mail.service.ts'
import { MESSAGE_JOB, messageJob, queueReminders } from '#server/modules/messages/messages.service.ts'
import { deleteUnusedImages } from '#server/modules/uploads/uploads.service.ts'
import { eraseDeletedCustomers } from '#server/modules/users/erase-customers.ts'
import { WEBHOOK_JOB, webhookJob } from '#server/modules/webhooks/webhooks.service.ts'
import { deleteEndedJobs, onJobsQueued } from './queue.ts'
import { type JobKind, type JobLog, startWorker, type Worker } from './worker.ts'

type Kinds = Readonly<Record<string, JobKind<AppContext>>>

const statuses: Kinds = {
  'booking statuses': {
    title: 'Moving bookings on with the time',
    everyMs: 15 * SECOND,
    run: async ({ db, clock, config, live }) => {
      const advanced = await advanceBookings(db, clock.now(), config.businessTimeZone)
      if (advanced > 0) live.publish([{ entity: 'booking' }])
      return advanced
    },
  },
  'no-shows': {
    title: 'Releasing bookings that nobody came for',
    everyMs: MINUTE,
    run: async (context) => {
      const released = await releaseNoShows(context)
      if (released > 0) context.live.publish([{ entity: 'booking' }])
      return released
    },
  },
}

const daysAgo = ({ clock }: AppContext, days: number) => new Date(clock.now().getTime() - days * DAY)

const sweeps: Kinds = {
  'expired sessions': {
    title: 'Ending sessions that have expired',
    everyMs: 15 * MINUTE,
    run: ({ db, clock, config }) => deleteExpiredSessions(db, clock.now(), config.sessionIdleMs),
  },
  'unused addresses': {
    title: 'Forgetting addresses of sign-ins',
    everyMs: 15 * MINUTE,
    run: ({ db, clock }) => deleteUnusedAddresses(db, clock.now()),
  },
  'row counts': { title: 'Folding the counts of lists', everyMs: MINUTE, run: ({ db }) => foldRowCounts(db) },
  'search texts': { title: 'Renewing search texts', everyMs: 5 * SECOND, run: ({ db }) => refreshSearchTexts(db) },
  'idempotency keys': {
    title: 'Forgetting keys of repeated requests',
    everyMs: 60 * MINUTE,
    run: ({ db, clock }) => deleteExpiredKeys(db, clock.now()),
  },
  'unused images': {
    title: 'Deleting images that no pod has',
    everyMs: 60 * MINUTE,
    // An image is uploaded before its pod is saved, and a form may stay open for a day.
    // A running backup may still have to read an image that a pod had when it began.
    run: async (context) => ((await isUnderWay(context)) ? 0 : deleteUnusedImages(context, daysAgo(context, 1))),
  },
  closures: {
    title: 'Planning closures that repeat',
    everyMs: 60 * MINUTE,
    run: (context) => planClosures(context, toBusinessNow(context)),
  },
  'closed until further notice': {
    title: 'Blocking what is closed until further notice',
    everyMs: MINUTE,
    run: followAllClosures,
  },
  reminders: {
    title: 'Reminding customers of their bookings',
    everyMs: MINUTE,
    run: queueReminders,
  },
  partitions: {
    title: 'Making the tables of the coming months',
    everyMs: 60 * MINUTE,
    run: ({ db, clock }) => makePartitions(db, clock.now()),
  },
  'deleted customers': {
    title: 'Erasing the data of customers deleted long ago',
    everyMs: 60 * MINUTE,
    run: async (context) => {
      const days = context.config.eraseDeletedCustomersDays
      return days === undefined ? 0 : eraseDeletedCustomers(context, daysAgo(context, days))
    },
  },
  'old mails': {
    title: 'Deleting old mails',
    everyMs: 60 * MINUTE,
    run: (context) => deleteMails(context.db, daysAgo(context, 90)),
  },
  'old deliveries': {
    title: 'Deleting old deliveries of webhooks',
    everyMs: 60 * MINUTE,
    // Drops a whole month at a time, once all of it is old enough.
    run: (context) => dropPartitions(context.db, 'webhook_deliveries', daysAgo(context, 30)),
  },
  'done jobs': {
    title: 'Deleting jobs that are done or were given up',
    everyMs: 60 * MINUTE,
    // Those that were given up are kept as long as mails, of which their errors often name the address.
    run: (context) => deleteEndedJobs(context.db, { done: daysAgo(context, 7), dead: daysAgo(context, 90) }),
  },
}

const mails: Kinds = { [MAIL_JOB]: mailJob, [MESSAGE_JOB]: messageJob, [LINK_JOB]: passwordLinkJob }

const webhooks: Kinds = { [WEBHOOK_JOB]: webhookJob }

const backups: Kinds = {
  [BACKUP_JOB]: backupJob,
  'planned backup': { title: 'Planning the daily backup', everyMs: MINUTE, run: planBackup },
}

/** Each group has a worker of its own: a new one does not compile until it is started below. */
const groups = { statuses, sweeps, mails, webhooks, backups }

export const jobKinds: Kinds = Object.fromEntries(Object.values(groups).flatMap((kinds) => Object.entries(kinds)))

/** The delay of the first jobs, so that the first requests after a start have the database to themselves. */
const FIRST_AFTER_MS = 2 * SECOND

const CHANNEL = 'jobs'

/**
 * Starts this server's workers, one for each group of kinds, so that slow jobs of one group do not hold up another. A
 * server that queues a job wakes the workers of all servers; in case they miss it, they also poll every few seconds.
 * Returns a function that stops the workers.
 */
export async function startJobs(
  context: AppContext,
  log: JobLog,
  notifications: Notifications,
): Promise<() => Promise<void>> {
  const options = { context, log, afterGivingUp: () => context.live.publish([{ entity: 'job' }]) }
  const later = { ...options, firstAfterMs: FIRST_AFTER_MS }
  const afterFailedClaim = () => {
    context.uptime.since = context.clock.now()
  }
  const workers = {
    statuses: startWorker({ ...options, kinds: statuses, concurrency: 1, afterFailedClaim }),
    sweeps: startWorker({ ...later, kinds: sweeps, concurrency: 2 }),
    mails: startWorker({ ...later, kinds: mails, concurrency: 4 }),
    webhooks: startWorker({ ...later, kinds: webhooks, concurrency: 4 }),
    // A server that makes no backups would take the jobs from those that do.
    backups: context.config.backup && startWorker({ ...later, kinds: backups, concurrency: 2 }),
  } satisfies Record<keyof typeof groups, Worker | undefined>
  const started = Object.values(workers).filter((worker) => worker !== undefined)
  const stopAnnouncing = onJobsQueued(() => {
    notifications.notify(CHANNEL).catch((err: unknown) => log.error({ err }, 'other servers were not told of a job'))
  })
  const stopListening = await notifications.listen(CHANNEL, () => {
    for (const worker of started) worker.wake()
  })
  // The database itself queues webhook deliveries and customer messages, with the changes that screens are told of.
  const stopFollowing = await notifications.listen(LIVE_CHANNEL, () => {
    workers.mails.wake()
    workers.webhooks.wake()
  })
  return async () => {
    stopAnnouncing()
    stopListening()
    stopFollowing()
    await Promise.all(started.map((worker) => worker.stop()))
  }
}
