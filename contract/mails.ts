import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { listQuery, MessageSchema, timeText } from './fields.ts'
import { mailKinds, mailStates } from './mail-states.ts'
import { routes } from './routes.ts'

export const MailSchema = z.object({
  _id: z.string(),
  kind: z.enum(mailKinds),
  /** The customer of the booking that the mail is about; null for a mail to a staff member. */
  customerId: z.nullable(z.string()),
  toName: z.string(),
  toEmail: z.string(),
  subject: z.string(),
  state: z.enum(mailStates),
  tries: z.int(),
  /** The mail server's last response, or why it could not be reached. */
  response: z.nullable(z.string()),
  /** Set while the mail waits for its next try. */
  nextTryAt: z.nullable(timeText),
  createdAt: timeText,
  sentAt: z.nullable(timeText),
})
export type Mail = z.infer<typeof MailSchema>

const WholeMailSchema = z.extend(MailSchema, {
  html: z.string(),
  text: z.string(),
  /** The attached calendar file (iCalendar). */
  calendar: z.nullable(z.string()),
})
export type WholeMail = z.infer<typeof WholeMailSchema>

export const MailListQuery = z.extend(listQuery(['createdAt']), {
  state: z.optional(z.enum(mailStates, `state must be one of ${mailStates.join(', ')}`)),
  kind: z.optional(z.enum(mailKinds, `kind must be one of ${mailKinds.join(', ')}`)),
})

export const mailEndpoints = {
  list: endpoint(routes.mails.list, { query: MailListQuery, response: z.array(MailSchema) }),
  get: endpoint(routes.mails.get, { response: WholeMailSchema }),
  retry: endpoint(routes.mails.retry, { response: MessageSchema }),
}
