import type { failedJobEndpoints } from '#contract/failed-jobs.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { notFound } from '#server/http/app-error.ts'
import type { Handlers } from '#server/http/handler.ts'
import { paged } from '#server/http/results.ts'
import { recordEvent } from '#server/modules/audit/record-event.ts'
import { jobKinds } from './jobs.ts'
import { listDeadJobs, lockDeadJob, retryJob } from './queue.ts'

const titles = Object.fromEntries(Object.entries(jobKinds).map(([kind, { title }]) => [kind, title]))

export const failedJobHandlers: Handlers<typeof failedJobEndpoints> = {
  list: async ({ context, query }) => {
    const { rows, total } = await listDeadJobs(context.db, query, titles)
    return paged({
      total,
      rows: rows.map((job) => ({
        _id: job.id,
        title: titles[job.kind] ?? job.kind,
        key: job.key,
        tries: job.tries,
        lastError: job.last_error ?? '',
        createdAt: job.created_at.toISOString(),
        failedAt: (job.dead_at ?? job.created_at).toISOString(),
      })),
    })
  },

  retry: async ({ context, actor, params }) => {
    await inTransaction(context.db, async (tx) => {
      const job = await lockDeadJob(tx, 'id', params.id)
      if (!job) throw notFound('Failed work')
      const label = titles[job.kind] ?? job.kind
      await recordEvent(tx, actor, { action: 'retry', entity: 'job', id: job.id, label })
      await retryJob(tx, 'id', job.id, context.clock.now())
      await jobKinds[job.kind]?.setFailed?.(tx, job, false)
    })
    return { message: 'It is tried again' }
  },
}
