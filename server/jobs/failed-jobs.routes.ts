import type { failedJobEndpoints } from '#contract/failed-jobs.ts'
import type { Actor, AppContext } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { notFound } from '#server/http/app-error.ts'
import type { Handlers } from '#server/http/handler.ts'
import { paged } from '#server/http/results.ts'
import { recordEvent } from '#server/modules/audit/record-event.ts'
import { listMailsOf } from '#server/modules/mail/mail.repository.ts'
import { listDeliveriesById } from '#server/modules/webhooks/webhooks.repository.ts'
import { jobKinds } from './jobs.ts'
import { deleteDeadJobs, type Job, listDeadJobs, lockDeadJobs, retryJob } from './queue.ts'

const titles = Object.fromEntries(Object.entries(jobKinds).map(([kind, { title }]) => [kind, title]))

export const failedJobHandlers: Handlers<typeof failedJobEndpoints> = {
  list: async ({ context, query }) => {
    const { rows, total } = await listDeadJobs(context.db, query, titles)
    const [mails, deliveries] = await Promise.all([
      listMailsOf(context.db, rows.map(toMailOwner)),
      listDeliveriesById(context.db, rows.map(toDeliveryId)),
    ])
    return paged({
      total,
      rows: rows.map((job) => ({
        _id: job.id,
        title: titles[job.kind] ?? job.kind,
        key: job.key,
        mail: mails.get(toMailOwner(job)) ?? null,
        delivery: deliveries.get(toDeliveryId(job)) ?? null,
        tries: job.tries,
        lastError: job.last_error ?? '',
        createdAt: job.created_at.toISOString(),
        failedAt: (job.dead_at ?? job.created_at).toISOString(),
      })),
    })
  },

  retry: async ({ context, actor, params }) => {
    await retryJobs(context, actor, [params.id])
    return { message: 'It is tried again' }
  },

  retrySeveral: async ({ context, actor, body }) => {
    const count = await retryJobs(context, actor, body.ids)
    return { message: count === 1 ? 'It is tried again' : `${count} are tried again`, count }
  },

  dismiss: async ({ context, actor, body }) => {
    const count = await changeDeadJobs(context, actor, { ids: body.ids, action: 'dismiss' }, (tx, { id }) =>
      deleteDeadJobs(tx, 'id', id),
    )
    return { message: count === 1 ? 'Dismissed' : `${count} dismissed`, count }
  },
}

const retryJobs = (context: AppContext, actor: Actor, ids: readonly string[]) =>
  changeDeadJobs(context, actor, { ids, action: 'retry' }, async (tx, job) => {
    await retryJob(tx, 'id', job.id, context.clock.now())
    await jobKinds[job.kind]?.setFailed?.(tx, job, false)
  })

/** Changes those of the jobs that are still given up, and returns their number. Throws a 404 when there are none. */
async function changeDeadJobs(
  { db }: AppContext,
  actor: Actor,
  { ids, action }: { ids: readonly string[]; action: 'retry' | 'dismiss' },
  change: (tx: Tx, job: Job) => Promise<void>,
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const jobs = await lockDeadJobs(tx, ids)
    if (jobs.length === 0) throw notFound('Failed work')
    for (const job of jobs) {
      await recordEvent(tx, actor, { action, entity: 'job', id: job.id, label: titles[job.kind] ?? job.kind })
      await change(tx, job)
    }
    return jobs.length
  })
}

type Payload = Pick<Job, 'payload'>

/** Returns the id of the job's mail, or of the booking or series that it writes to a customer about. */
const toMailOwner = ({ payload: { mailId, groupId } }: Payload) => toText(mailId ?? groupId)
const toDeliveryId = ({ payload: { deliveryId } }: Payload) => toText(deliveryId)
const toText = (id: unknown) => (typeof id === 'string' ? id : '')
