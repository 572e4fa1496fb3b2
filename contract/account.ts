import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { MessageSchema, requiredString, timeText } from './fields.ts'
import { routes } from './routes.ts'
import { StaffEdit, StaffSchema } from './staff.ts'

const AccountSchema = z.pick(StaffSchema, {
  _id: true,
  firstname: true,
  lastname: true,
  email: true,
  phoneNumber: true,
  role: true,
  version: true,
})
export type Account = z.infer<typeof AccountSchema>

const AccountEdit = z.pick(StaffEdit, { firstname: true, lastname: true, phoneNumber: true })

const ConfirmBody = z.object({ password: requiredString('Password') })

const SessionSchema = z.object({
  _id: z.string(),
  /** 'Chrome on Windows', as far as the browser says. */
  device: z.string(),
  /** Empty of a session that is older than this list. */
  address: z.string(),
  createdAt: timeText,
  lastUsedAt: timeText,
  isThis: z.boolean(),
})
export type AccountSession = z.infer<typeof SessionSchema>

export const accountEndpoints = {
  get: endpoint(routes.account.get, {
    /** The names of the person's locations; left out of who has all. */
    response: z.extend(AccountSchema, { locationNames: z.optional(z.array(z.string())) }),
  }),
  update: endpoint(routes.account.update, {
    body: AccountEdit,
    response: z.extend(AccountSchema, MessageSchema.shape),
  }),
  sessions: endpoint(routes.account.sessions, { response: z.array(SessionSchema) }),
  confirm: endpoint(routes.account.confirm, {
    body: ConfirmBody,
    /** Of the session from now on; the one of before ends in half a minute. Left out when another tab has just got one. */
    response: z.extend(MessageSchema, { token: z.optional(z.string()) }),
  }),
  endSession: endpoint(routes.account.endSession, { ifMatch: 'optional', response: MessageSchema }),
  endOtherSessions: endpoint(routes.account.endOtherSessions, { ifMatch: 'optional', response: MessageSchema }),
}
