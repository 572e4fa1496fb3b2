import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { BlockedSchema, blockedFilter, listQuery, MessageSchema, UpcomingBookingsSchema, version } from './fields.ts'
import { routes } from './routes.ts'

/** A customer. The number is carried as `mobile` and as `phoneNumber` (rules §8.1). */
export const UserSchema = z.object({
  _id: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  email: z.string(),
  mobile: z.string(),
  phoneNumber: z.string(),
  role: z.string(),
  isBlocked: z.boolean(),
  username: z.string(),
  version,
})
export type User = z.infer<typeof UserSchema>

export const UserListQuery = z.extend(listQuery(['createdAt', 'name', 'email']), {
  status: blockedFilter,
})

export const userEndpoints = {
  list: endpoint(routes.users.list, { query: UserListQuery, response: z.array(UserSchema) }),
  get: endpoint(routes.users.get, { response: UserSchema }),
  block: endpoint(routes.users.block, { ifMatch: 'optional', response: BlockedSchema }),
  unblock: endpoint(routes.users.unblock, { ifMatch: 'optional', response: MessageSchema }),
  delete: endpoint(routes.users.delete, { ifMatch: 'optional', response: MessageSchema }),
  upcomingBookings: endpoint(routes.users.upcomingBookings, { response: UpcomingBookingsSchema }),
  export: endpoint(routes.users.export, { query: UserListQuery, response: z.string(), kind: 'csv' }),
  exportBookings: endpoint(routes.users.exportBookings, { query: UserListQuery, response: z.string(), kind: 'csv' }),
}
