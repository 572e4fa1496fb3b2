import { BLOCKED_SEES_NOTHING } from '#contract/staff-rules.ts'
import type { Viewed } from '#contract/view-as.ts'
import type { Actor, AppContext, Person } from '#server/context.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/http/app-error.ts'
import { listLocationNames } from '../account/account.repository.ts'
import { requireManagerOf } from '../staff/staff.guards.ts'
import { findStaff, lockStaff, recordStaffEvent } from '../staff/staff.repository.ts'

const LASTS_MS = 30 * 60_000

export async function getView(context: AppContext, { view }: Person): Promise<Viewed | null> {
  if (!view || view.over !== undefined) return null
  const { _id, firstname, lastname, email } = view.staff
  const names = view.locations && (await listLocationNames(context.within(view.locations).shortReads))
  return { _id, firstname, lastname, email, ...(names && { locationNames: names }), until: view.until.toISOString() }
}

/** Starts a view. The caller must manage staff and have at least the colleague's access, so that they see no more. */
export async function startView(context: AppContext, actor: Actor, session: Person, id: string): Promise<string> {
  const name = await inTransaction(context.db, async (tx) => {
    await lockStaff(tx)
    const colleague = await findStaff(tx, id)
    if (!colleague) throw notFound('User')
    if (id === session.id) throw new AppError('own_account')
    await requireManagerOf(tx, session, colleague)
    if (colleague.isBlocked) throw new AppError('conflict', { message: BLOCKED_SEES_NOTHING })
    const until = new Date(actor.now().getTime() + LASTS_MS)
    await tx
      .updateTable('sessions')
      .set({ viewed_staff_id: id, viewed_until: until })
      .where('token_hash', '=', session.tokenHash)
      .execute()
    await recordStaffEvent(tx, actor, colleague, { action: 'view-as', after: { ends_at: until.toISOString() } })
    return colleague.firstname || colleague.lastname
  })
  await context.live.checkSessions(new Set([session.id]))
  return `You see what ${name} sees`
}

/** Ends the view of a session. Does nothing when it has ended already. */
export async function endView(
  context: AppContext,
  actor: Actor,
  { id, view, tokenHash }: Person,
  reason?: string,
): Promise<void> {
  if (!view) return
  await inTransaction(context.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('sessions')
      .set({ viewed_staff_id: null, viewed_until: null })
      .where('token_hash', '=', tokenHash)
      .where('viewed_staff_id', '=', view.staff._id)
      .where('viewed_until', '=', view.until)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await recordStaffEvent(tx, actor, view.staff, { action: 'view-as-end', reason })
  })
  await context.live.checkSessions(new Set([id]))
}

/** Ends a view at the first request after it was over, so that no later change brings it back. */
export async function endOverView(
  context: AppContext,
  session: Person,
  request: Pick<Actor, 'address' | 'requestId'>,
): Promise<void> {
  if (session.view?.over === undefined) return
  const now = () => context.clock.now()
  const actor: Actor = { ...request, kind: 'staff', id: session.id, now, expects: 'any', changes: [] }
  await endView(context, actor, session, session.view.over)
}
