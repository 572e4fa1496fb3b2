import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { listQuery, MessageSchema, timeText } from './fields.ts'
import { routes } from './routes.ts'

const FailedJobSchema = z.object({
  _id: z.string(),
  /** A readable description of the job. */
  title: z.string(),
  key: z.string(),
  tries: z.int(),
  lastError: z.string(),
  createdAt: timeText,
  failedAt: timeText,
})

export type FailedJob = z.infer<typeof FailedJobSchema>

export const FailedJobListQuery = listQuery(['failedAt'])

export const failedJobEndpoints = {
  list: endpoint(routes.failedJobs.list, { query: FailedJobListQuery, response: z.array(FailedJobSchema) }),
  retry: endpoint(routes.failedJobs.retry, { response: MessageSchema }),
}
