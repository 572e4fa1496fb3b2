import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { ContactBody, User } from '#contract/users.ts'
import type { Actor } from '#server/context.ts'
import type { Db } from '#server/db/client.ts'
import type { UsersTable } from '#server/db/schema.ts'
import { isUniqueViolation } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/http/app-error.ts'
import type { ChangeDetails } from '../audit/record-change.ts'
import { type Assignments, recordEdit } from '../audit/record-edit.ts'
import { customerRecord, toUser } from './users.repository.ts'

export async function setUserBlocked(
  db: Db,
  actor: Actor,
  id: string,
  isBlocked: boolean,
  reason?: string,
): Promise<void> {
  const change = { id, action: isBlocked ? 'block' : 'unblock', reason: reason || undefined } as const
  const made = actor.changes.length
  await changeUser(db, actor, change, { is_blocked: isBlocked })
  if (reason && actor.changes.length === made) throw new AppError('already_blocked')
}

/**
 * Replaces the name and the contact details (rules §31.6). Throws a 409 at `email` when another customer has the address.
 */
export async function updateContact(
  db: Db,
  actor: Actor,
  id: string,
  { email, ...contact }: z.output<typeof ContactBody>,
): Promise<User> {
  const address = email.toLowerCase()
  const columns = {
    ...contact,
    email: address,
    // Customers whom staff have entered are called by their address there.
    username: sql<string>`case when record.username = record.email then ${address} else record.username end`,
  }
  const row = await changeUser(db, actor, { id, action: 'edit' }, columns).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'users_email_key')) throw error
    const message = 'Another customer has this email address already.'
    throw new AppError('email_taken', { message, fields: [{ path: 'email', message }] })
  })
  return toUser(row)
}

export async function setNote(db: Db, actor: Actor, id: string, note: string): Promise<void> {
  await changeUser(db, actor, { id, action: 'edit' }, { note })
}

/** Hides the customer everywhere except in the history (rules §18.1). */
export async function deleteUser(db: Db, actor: Actor, id: string): Promise<void> {
  await changeUser(db, actor, { id, action: 'delete' }, { deleted_at: actor.now() })
}

async function changeUser(
  db: Db,
  actor: Actor,
  change: ChangeDetails,
  columns: Assignments<'users'>,
): Promise<Selectable<UsersTable>> {
  const row = await recordEdit(db, actor, customerRecord, change, columns)
  if (!row) throw notFound('User')
  return row
}
