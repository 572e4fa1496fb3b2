import type { staffEndpoints } from '#contract/staff.ts'
import type { Handlers } from '#server/http/handler.ts'
import { listed } from '#server/http/results.ts'
import { sendPasswordLink } from '../auth/password-links.ts'
import { countUpcomingBookings } from '../bookings/bookings.service.ts'
import { createOnce } from '../idempotency/create-once.ts'
import { resetFactorsOfColleague } from '../second-factors/second-factors.service.ts'
import { exportStaff, exportStaffBookings } from './staff.export.ts'
import { listStaff } from './staff.repository.ts'
import {
  blockStaff,
  createStaff,
  deleteStaff,
  hashChangedPassword,
  hashNewPassword,
  unblockStaff,
  updateStaff,
} from './staff.service.ts'

// Messages call a staff member a user (rules §15.5).
export const staffHandlers: Handlers<typeof staffEndpoints> = {
  list: ({ context, query }) => listed(query, listStaff(context.db, query)),

  create: async ({ context, actor, session, body }) => {
    const staff = await hashNewPassword(context, body)
    return createOnce(context, actor, async (context) => ({
      ...(await createStaff(context, actor, session, staff)),
      message: 'Staff added successfully',
      isLinkMailed: staff.password_hash === null && context.sendMail !== undefined,
    }))
  },

  update: async ({ context, actor, session, params, body }) => {
    const edit = await hashChangedPassword(context, body)
    return createOnce(context, actor, async (context) => ({
      ...(await updateStaff(context, actor, session, params.id, edit)),
      message: 'Staff updated successfully',
    }))
  },

  block: async ({ context, actor, session, params }) => {
    await blockStaff(context, actor, session, params.id)
    return { message: 'User blocked successfully' }
  },

  unblock: async ({ context, actor, session, params }) => {
    await unblockStaff(context, actor, session, params.id)
    return { message: 'User unblocked successfully' }
  },

  delete: async ({ context, actor, session, params }) => {
    await deleteStaff(context, actor, session, params.id)
    return { message: 'User deleted successfully' }
  },

  createPasswordLink: ({ context, actor, session, params }) => sendPasswordLink(context, actor, session, params.id),

  resetSecondFactor: async ({ context, actor, session, params }) => {
    await resetFactorsOfColleague(context, actor, session, params.id)
    return { message: 'Second factor reset' }
  },

  upcomingBookings: ({ context, params }) => countUpcomingBookings(context, 'staff', params.id),

  export: exportStaff,

  exportBookings: exportStaffBookings,
}
