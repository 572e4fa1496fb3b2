import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { MessageSchema, RenewedSchema, requiredString, timeText, version } from './fields.ts'
import { routes } from './routes.ts'
import { SignedInStaffSchema, StaffEdit } from './staff.ts'

const AccountSchema = z.extend(SignedInStaffSchema, { version })
export type Account = z.infer<typeof AccountSchema>

const AccountEdit = z.pick(StaffEdit, { firstname: true, lastname: true, phoneNumber: true })

const ConfirmBody = z.object({ password: requiredString('Password') })

const SessionSchema = z.object({
  _id: z.string(),
  /** Browser and system as the browser reports them, such as 'Chrome on Windows'. */
  device: z.string(),
  /** Empty for sessions that were created before addresses were recorded. */
  address: z.string(),
  /** English name of the country that the address is registered in; absent for private and unknown addresses. */
  country: z.optional(z.string()),
  createdAt: timeText,
  lastUsedAt: timeText,
  isThis: z.boolean(),
})
export type AccountSession = z.infer<typeof SessionSchema>

export const accountEndpoints = {
  get: endpoint(routes.account.get, {
    /** The names of the person's locations; absent when they have all. */
    response: z.extend(AccountSchema, { locationNames: z.optional(z.array(z.string())) }),
  }),
  update: endpoint(routes.account.update, {
    body: AccountEdit,
    response: z.extend(AccountSchema, MessageSchema.shape),
  }),
  sessions: endpoint(routes.account.sessions, { response: z.array(SessionSchema) }),
  confirm: endpoint(routes.account.confirm, {
    body: ConfirmBody,
    response: RenewedSchema,
  }),
  endSession: endpoint(routes.account.endSession, { ifMatch: 'unused', response: MessageSchema }),
  endOtherSessions: endpoint(routes.account.endOtherSessions, { ifMatch: 'unused', response: MessageSchema }),
}
