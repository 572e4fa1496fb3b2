import type { Db, Tx } from '#server/db/client.ts'

export async function findStaffByEmail(db: Db | Tx, email: string) {
  return db
    .selectFrom('staff')
    .select(['id', 'firstname', 'lastname', 'email', 'phone_number', 'role', 'pages', 'password_hash', 'is_blocked'])
    .where('email', '=', email.toLowerCase())
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function createSession(db: Db | Tx, session: { token_hash: Buffer; staff_id: string; expires_at: Date }) {
  await db.insertInto('sessions').values(session).execute()
}

export async function deleteSession(db: Db | Tx, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

/** Ends every session of a staff member but the one to `keep`: after a block, a deletion or a new password. */
export async function deleteSessionsOfStaff(db: Db | Tx, staffId: string, keep?: Buffer): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('staff_id', '=', staffId)
    .$if(keep !== undefined, (rows) => rows.where('token_hash', '!=', keep ?? Buffer.alloc(0)))
    .execute()
}

/** Answers with how many there were. */
export async function deleteExpiredSessions(db: Db | Tx, now: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('sessions').where('expires_at', '<=', now).executeTakeFirst()
  return Number(numDeletedRows)
}
