import type { Db, Tx } from '#server/db/client.ts'

export async function findStaffByEmail(db: Db | Tx, email: string) {
  return db
    .selectFrom('staff')
    .select(['id', 'firstname', 'lastname', 'email', 'phone_number', 'role', 'pages', 'password_hash', 'is_blocked'])
    .where('email', '=', email.toLowerCase())
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function findPasswordHash(db: Db | Tx, staffId: string): Promise<string | undefined> {
  const row = await db.selectFrom('staff').select('password_hash').where('id', '=', staffId).executeTakeFirst()
  return row?.password_hash
}

/** Whether it was changed: false when the password, or the account, has been changed meanwhile. */
export async function replacePasswordHash(
  tx: Tx,
  staffId: string,
  { from, to, now }: { from: string; to: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('staff')
    .set({ password_hash: to, updated_at: now })
    .where('id', '=', staffId)
    .where('password_hash', '=', from)
    .where('is_blocked', '=', false)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function createSession(db: Db | Tx, session: { token_hash: Buffer; staff_id: string; expires_at: Date }) {
  await db.insertInto('sessions').values(session).execute()
}

export async function deleteSession(db: Db | Tx, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

/** Ends every session of a staff member except `keep`: after a block, a deletion or a new password. */
export async function deleteSessionsOfStaff(db: Db | Tx, staffId: string, keep?: Buffer): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('staff_id', '=', staffId)
    .$if(keep !== undefined, (rows) => rows.where('token_hash', '!=', keep ?? Buffer.alloc(0)))
    .execute()
}

/** How long an address counts as known after a sign-in. */
const KNOWN_FOR_MS = 30 * 24 * 3_600_000

type SignInAddress = { staff_id: string; address_hash: Buffer; now: Date }

export async function rememberAddress(db: Db | Tx, { now, ...address }: SignInAddress): Promise<void> {
  await db
    .insertInto('sign_in_addresses')
    .values({ ...address, last_signed_in_at: now })
    .onConflict((known) => known.columns(['staff_id', 'address_hash']).doUpdateSet({ last_signed_in_at: now }))
    .execute()
}

export async function isKnownAddress(db: Db | Tx, { staff_id, address_hash, now }: SignInAddress): Promise<boolean> {
  const known = await db
    .selectFrom('sign_in_addresses')
    .select('staff_id')
    .where('staff_id', '=', staff_id)
    .where('address_hash', '=', address_hash)
    .where('last_signed_in_at', '>', new Date(now.getTime() - KNOWN_FOR_MS))
    .executeTakeFirst()
  return known !== undefined
}

/** Returns how many there were. */
export async function deleteUnusedAddresses(db: Db | Tx, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_addresses')
    .where('last_signed_in_at', '<=', new Date(now.getTime() - KNOWN_FOR_MS))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Returns how many there were. */
export async function deleteExpiredSessions(db: Db | Tx, now: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('sessions').where('expires_at', '<=', now).executeTakeFirst()
  return Number(numDeletedRows)
}
