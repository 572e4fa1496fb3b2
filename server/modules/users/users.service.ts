import type { Actor } from '#server/context.ts'
import type { Db } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { notFound } from '#server/http/app-error.ts'
import { recordChange } from '../audit/record-change.ts'
import { customerRecord, updateUser } from './users.repository.ts'

export async function setUserBlocked(db: Db, actor: Actor, id: string, isBlocked: boolean): Promise<void> {
  await changeUser(db, actor, id, isBlocked ? 'block' : 'unblock', { is_blocked: isBlocked })
}

/** Hidden everywhere but in history (rules §18.1). */
export async function deleteUser(db: Db, actor: Actor, id: string): Promise<void> {
  await changeUser(db, actor, id, 'delete', { deleted_at: actor.now() })
}

async function changeUser(
  db: Db,
  actor: Actor,
  id: string,
  action: 'block' | 'unblock' | 'delete',
  changes: Parameters<typeof updateUser>[2],
): Promise<void> {
  const changed = await inTransaction(db, (tx) =>
    recordChange(tx, actor, customerRecord, { id, action }, () => updateUser(tx, id, changes)),
  )
  if (!changed) throw notFound('User')
}
