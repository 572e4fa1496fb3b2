import { PAGE } from '#contract/pages.ts'
import type { userEndpoints } from '#contract/users.ts'
import { notFound } from '#server/http/app-error.ts'
import type { Handlers } from '#server/http/handler.ts'
import { listed } from '#server/http/results.ts'
import { requireOnePage } from '#server/http/session.ts'
import { blockAndCount, countUpcomingBookings } from '../bookings/bookings.service.ts'
import { getCustomer } from './customer.service.ts'
import { eraseCustomer } from './erase-customers.ts'
import { exportUserBookings, exportUsers } from './users.export.ts'
import { findUserOrStaff, listUsers } from './users.repository.ts'
import { deleteUser, setNote, setUserBlocked, updateContact } from './users.service.ts'

export const userHandlers: Handlers<typeof userEndpoints> = {
  list: async ({ context, session, query }) => {
    // Others read this list to book for a customer.
    if (query.status === 'deleted') requireOnePage([PAGE.users], session)
    return listed(query, listUsers(context.db, query))
  },

  get: async ({ context, params }) => {
    const user = await findUserOrStaff(context.db, params.id)
    if (!user) throw notFound('User')
    return user
  },

  customer: ({ context, session, params }) => getCustomer(context, session, params.id),

  update: ({ context, actor, params, body }) => updateContact(context.db, actor, params.id, body),

  setNote: async ({ context, actor, params, body }) => {
    await setNote(context.db, actor, params.id, body.note)
    return { message: 'Note saved' }
  },

  block: ({ context, actor, params, body }) =>
    blockAndCount(context, 'user', params.id, ({ db }) => setUserBlocked(db, actor, params.id, true, body?.reason)),

  unblock: async ({ context, actor, params }) => {
    await setUserBlocked(context.db, actor, params.id, false)
    return { message: 'User unblocked successfully' }
  },

  delete: async ({ context, actor, params }) => {
    await deleteUser(context.db, actor, params.id)
    return { message: 'User deleted successfully' }
  },

  erase: async ({ context, actor, params }) => {
    await eraseCustomer(context, actor, params.id)
    return { message: 'The personal data have been erased' }
  },

  upcomingBookings: ({ context, params }) => countUpcomingBookings(context, 'user', params.id),

  export: exportUsers,

  exportBookings: exportUserBookings,
}
