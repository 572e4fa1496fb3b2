import type { accountEndpoints } from '#contract/account.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/http/app-error.ts'
import type { Handlers } from '#server/http/handler.ts'
import { recordChange } from '../audit/record-change.ts'
import { deleteSessionsOfStaff } from '../auth/auth.repository.ts'
import { confirmPassword } from '../auth/auth.service.ts'
import { toNetwork } from '../auth/network.ts'
import { findStaff, recordStaffEvent, staffRecord, updateStaff } from '../staff/staff.repository.ts'
import { deleteOwnSession, listLocationNames, listSessions } from './account.repository.ts'

/** What all staff may do with their own account (rules §33.4). */
export const accountHandlers: Handlers<typeof accountEndpoints> = {
  get: async ({ context, session }) => {
    const staff = await findStaff(context.db, session.staff._id)
    if (!staff) throw new AppError('not_signed_in')
    return session.locations ? { ...staff, locationNames: await listLocationNames(context.db) } : staff
  },

  update: async ({ context, actor, session, body }) => {
    const { phoneNumber, ...names } = body
    const { _id: id } = session.staff
    const staff = await inTransaction(context.db, (tx) =>
      recordChange(tx, actor, staffRecord, { id, action: 'edit' }, () =>
        updateStaff(tx, id, { ...names, phone_number: phoneNumber, updated_at: actor.now() }),
      ),
    )
    if (!staff) throw new AppError('not_signed_in')
    return { ...staff, message: 'Saved' }
  },

  sessions: ({ context, session }) =>
    listSessions(context.db, session, { now: context.clock.now(), idleMs: context.config.sessionIdleMs }),

  confirm: async ({ context, actor, session, body, request }) => {
    const token = await confirmPassword(context, actor, session, body.password, toNetwork(request.ip))
    return { message: 'Password confirmed', token }
  },

  endSession: async ({ context, actor, session, params }) => {
    await inTransaction(context.db, async (tx) => {
      const ended = await deleteOwnSession(tx, session, params.id)
      if (!ended) throw notFound('Session')
      const reason = [ended.device, ended.address].filter(Boolean).join(', ')
      await recordStaffEvent(tx, actor, session.staff, { action: 'sign-out', reason })
    })
    return { message: 'Session ended' }
  },

  endOtherSessions: async ({ context, actor, session }) => {
    await inTransaction(context.db, async (tx) => {
      await deleteSessionsOfStaff(tx, session.staff._id, session.tokenHash)
      await recordStaffEvent(tx, actor, session.staff, { action: 'sign-out', reason: 'All other sessions' })
    })
    return { message: 'You are signed out everywhere else' }
  },
}
