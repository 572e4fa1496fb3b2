import type { z } from 'zod'
import { errors } from '#contract/errors.ts'
import type { Staff, StaffBody, StaffEdit } from '#contract/staff.ts'
import type { Actor, AppContext, Person } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { inTransaction, isUniqueViolation } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/http/app-error.ts'
import { createId } from '#server/ids.ts'
import { type ChangeDetails, recordChange, recordCreation } from '../audit/record-change.ts'
import { deleteSessionsOfStaff } from '../auth/auth.repository.ts'
import { deletePasswordLinks } from '../auth/create-password-link.ts'
import { requireGoodPassword, requireUnbreached } from '../auth/good-password.ts'
import { hashPassword } from '../auth/password.ts'
import { mailInvitation, mailPasswordChanged } from '../mail/mail.service.ts'
import {
  losesManager,
  requireCanLose,
  requireGrantable,
  requireLocations,
  requireManagerOf,
  requireMayGive,
  requireViewOnlyHeld,
  toEditedAccess,
} from './staff.guards.ts'
import * as repository from './staff.repository.ts'

/** Hashes the password of a new staff member. Must run outside transactions, as it is slow by design. */
export async function hashNewPassword(
  context: AppContext,
  { password, ...body }: z.output<typeof StaffBody>,
): Promise<NewStaff> {
  if (password === undefined) return { ...body, password_hash: null }
  requireGoodPassword(context, 'password', password, body.email)
  await requireUnbreached(context, 'password', password)
  return { ...body, password_hash: await hashPassword(password) }
}

type NewStaff = Omit<z.output<typeof StaffBody>, 'password'> & { password_hash: string | null }

/** Adds the hash of a new password. Must run outside transactions too. */
export async function hashChangedPassword(context: AppContext, edit: z.output<typeof StaffEdit>): Promise<EditedStaff> {
  if (!edit.password) return edit
  await requireUnbreached(context, 'password', edit.password)
  return { ...edit, password_hash: await hashPassword(edit.password) }
}

type EditedStaff = z.output<typeof StaffEdit> & { password_hash?: string }

export async function createStaff(
  context: AppContext,
  actor: Actor,
  session: Person,
  { email, phoneNumber, auth_page, viewOnlyPages, locations, ...columns }: NewStaff,
): Promise<Staff> {
  return changeStaff(context, async (tx) => {
    await requireMayGive(tx, session, { auth_page, viewOnlyPages })
    await requireLocations(tx, locations)
    const staff = {
      id: createId(),
      ...columns,
      email: email.toLowerCase(),
      phone_number: phoneNumber,
      pages: auth_page,
      view_only_pages: viewOnlyPages,
      location_ids: locations,
    }
    const created = await recordCreation(tx, actor, repository.staffRecord, staff.id, () =>
      repository.createStaff(tx, staff),
    )
    await mailInvitation(context, tx, created, { invitedBy: session.staff, hasPassword: staff.password_hash !== null })
    return created
  })
}

/** Absent fields and an empty password stay as they are (rules §9.2). A new password ends the member's sessions. */
export async function updateStaff(
  context: AppContext,
  actor: Actor,
  session: Person,
  id: string,
  { password, password_hash, email, phoneNumber, auth_page, viewOnlyPages, locations, ...names }: EditedStaff,
): Promise<Staff> {
  return changeStaff(context, async (tx) => {
    const staff = await requireStaff(tx, id)
    const access = {
      ...toEditedAccess({ auth_page, viewOnlyPages }, staff),
      locations: locations === undefined ? staff.locations : (locations ?? undefined),
    }
    requireViewOnlyHeld(access)
    await requireLocations(tx, locations, staff.locations)
    if (losesManager(staff, access)) await requireCanLose(tx, staff, session)
    requireGrantable(access, await requireManagerOf(tx, session, staff))
    if (password) requireGoodPassword(context, 'password', password, email ?? staff.email)
    const hasOtherAccess =
      String(access.auth_page) !== String(staff.auth_page) ||
      String(access.viewOnlyPages ?? []) !== String(staff.viewOnlyPages ?? []) ||
      String(access.locations ?? 'all') !== String(staff.locations ?? 'all')
    const changed = await recordStaffChange(
      tx,
      actor,
      { id, action: hasOtherAccess ? 'permissions' : 'edit' },
      {
        ...names,
        email: email?.toLowerCase(),
        phone_number: phoneNumber,
        pages: auth_page,
        view_only_pages: viewOnlyPages ?? (auth_page && []),
        location_ids: locations,
        ...(password_hash && { password_hash, must_replace_password: false }),
      },
    )
    // After the change, which waits for a sign-in or a new link. Staff who change their own password stay signed in here.
    if (password_hash || changed.email !== staff.email) await deletePasswordLinks(tx, id)
    if (password_hash) await deleteSessionsOfStaff(tx, id, session.tokenHash)
    // Sent to the account's previous address.
    if (password_hash)
      await mailPasswordChanged(context, tx, staff, { changedBy: id === session.staff._id ? undefined : session.staff })
    return changed
  })
}

export async function blockStaff(context: AppContext, actor: Actor, session: Person, id: string): Promise<void> {
  await withdrawStaff(context, actor, session, { id, action: 'block' }, { is_blocked: true })
}

export async function unblockStaff(context: AppContext, actor: Actor, session: Person, id: string): Promise<void> {
  await changeStaff(context, async (tx) => {
    await requireManagerOf(tx, session, await requireStaff(tx, id))
    await recordStaffChange(tx, actor, { id, action: 'unblock' }, { is_blocked: false })
  })
}

/** Hides the staff member everywhere except in the history (rules §18.1). */
export async function deleteStaff(context: AppContext, actor: Actor, session: Person, id: string): Promise<void> {
  await withdrawStaff(context, actor, session, { id, action: 'delete' }, { deleted_at: actor.now() })
}

/** Blocks or deletes a member and ends their sessions, so that they have to sign in again once unblocked. */
async function withdrawStaff(
  context: AppContext,
  actor: Actor,
  session: Person,
  change: ChangeDetails,
  changes: { is_blocked: true } | { deleted_at: Date },
): Promise<void> {
  await changeStaff(context, async (tx) => {
    const staff = await requireStaff(tx, change.id)
    await requireCanLose(tx, staff, session)
    await requireManagerOf(tx, session, staff)
    await recordStaffChange(tx, actor, change, changes)
    // After the change, which waits for a sign-in under way.
    await deleteSessionsOfStaff(tx, change.id)
  })
}

async function recordStaffChange(
  tx: Tx,
  actor: Actor,
  change: ChangeDetails,
  changes: Parameters<typeof repository.updateStaff>[2],
): Promise<Staff> {
  const staff = await recordChange(tx, actor, repository.staffRecord, change, () =>
    repository.updateStaff(tx, change.id, { ...changes, updated_at: actor.now() }),
  )
  if (!staff) throw notFound('User')
  return staff
}

/** Runs changes of staff one at a time, so that what their guards have read stays true. */
async function changeStaff<T>(context: AppContext, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await inTransaction(context.db, async (tx) => {
      await repository.lockStaff(tx)
      return work(tx)
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'staff_email_key')) throw error
    throw new AppError('email_taken', { fields: [{ path: 'email', message: errors.email_taken.message }] })
  }
}

async function requireStaff(tx: Tx, id: string): Promise<Staff> {
  const staff = await repository.findStaff(tx, id)
  if (!staff) throw notFound('User')
  return staff
}
