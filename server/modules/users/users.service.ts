import type { Updateable } from 'kysely'
import type { Actor } from '#server/context.ts'
import type { Db } from '#server/db/client.ts'
import type { Database } from '#server/db/schema.ts'
import { AppError, notFound } from '#server/http/app-error.ts'
import { type ChangeDetails, recordEdit } from '../audit/record-change.ts'
import { customerRecord } from './users.repository.ts'

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
  columns: Updateable<Database['users']>,
): Promise<void> {
  if (!(await recordEdit(db, actor, customerRecord, change, columns))) throw notFound('User')
}
