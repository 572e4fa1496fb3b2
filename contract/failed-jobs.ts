import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { listQuery, MessageSchema, timeText } from './fields.ts'
import { MailSchema } from './mails.ts'
import { MAX_PAGE_SIZE } from './page-size.ts'
import { routes } from './routes.ts'
import { DeliverySchema } from './webhooks.ts'

const FailedJobSchema = z.object({
  _id: z.string(),
  /** A readable description of the job. */
  title: z.string(),
  key: z.string(),
  /** The mail that could not be sent, if there is one. */
  mail: z.nullable(MailSchema),
  /** The delivery to a webhook that failed, if there is one. */
  delivery: z.nullable(DeliverySchema),
  tries: z.int(),
  lastError: z.string(),
  createdAt: timeText,
  failedAt: timeText,
})

export type FailedJob = z.infer<typeof FailedJobSchema>

export const FailedJobListQuery = listQuery(['failedAt'])

/** Those that are no longer on the list are left out; 404 when none of them is. */
const FailedJobIds = z.object({
  ids: z
    .array(z.string(), 'ids must be a list')
    .check(
      z.minLength(1, 'Choose at least one failure'),
      z.maxLength(MAX_PAGE_SIZE, `ids may be at most ${MAX_PAGE_SIZE}`),
    ),
})

/** `count`: how many were tried again or dismissed. */
const ChangedSchema = z.extend(MessageSchema, { count: z.int() })

export const failedJobEndpoints = {
  list: endpoint(routes.failedJobs.list, { query: FailedJobListQuery, response: z.array(FailedJobSchema) }),
  retry: endpoint(routes.failedJobs.retry, { response: MessageSchema }),
  retrySeveral: endpoint(routes.failedJobs.retrySeveral, { body: FailedJobIds, response: ChangedSchema }),
  dismiss: endpoint(routes.failedJobs.dismiss, { body: FailedJobIds, response: ChangedSchema }),
}
