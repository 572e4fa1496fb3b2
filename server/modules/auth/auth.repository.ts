import { type Insertable, sql } from 'kysely'
import { DAY } from '#contract/durations.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { Database } from '#server/db/schema.ts'
import { personColumns } from './person.ts'

export async function findStaffByEmail(db: Db | Tx, email: string) {
  return db
    .selectFrom('staff')
    .select([...personColumns, 'password_hash', 'is_blocked'])
    .where('email', '=', email.toLowerCase())
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Keeps others from signing in as this person, or changing how they do, until the transaction ends. */
export async function lockSignIn(tx: Tx, staffId: string) {
  return tx
    .selectFrom('staff')
    .select(['password_hash', 'is_blocked'])
    .where('id', '=', staffId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function findPasswordHash(db: Db | Tx, staffId: string): Promise<string | undefined> {
  const row = await db.selectFrom('staff').select('password_hash').where('id', '=', staffId).executeTakeFirst()
  return row?.password_hash ?? undefined
}

/** Returns false when the password was changed meanwhile, or the account blocked or deleted. */
export async function replacePasswordHash(
  tx: Tx,
  staffId: string,
  { from, to, now }: { from: string; to: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('staff')
    .set({ password_hash: to, must_replace_password: false, updated_at: now })
    .where('id', '=', staffId)
    .where('password_hash', '=', from)
    .where('is_blocked', '=', false)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const MOST_OF_USER_AGENT = 400

/** Shortens a user agent as sessions and challenges store it. */
export const toStoredAgent = (userAgent: string) => userAgent.slice(0, MOST_OF_USER_AGENT)

export async function createSession(db: Db | Tx, session: Insertable<Database['sessions']>) {
  await db.insertInto('sessions').values(session).execute()
}

/** How long a session's previous token is accepted too. */
const PREVIOUS_FOR_MS = 30_000

/** Confirms a session and replaces its token. Returns false when `from` is not its current token any more. */
export async function renewSession(tx: Tx, from: Buffer, to: Buffer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({
      token_hash: to,
      confirmed_at: now,
      previous_token_hash: from,
      previous_until: new Date(now.getTime() + PREVIOUS_FOR_MS),
    })
    .where('token_hash', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Matches a session by its current or its previous token. */
const isOf = (tokenHash: Buffer) => sql<boolean>`(token_hash = ${tokenHash} or previous_token_hash = ${tokenHash})`

export async function deleteSession(db: Db | Tx, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where(isOf(tokenHash)).execute()
}

/** Returns whether a session that was found earlier still exists. */
export async function hasSession(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  return (await tx.selectFrom('sessions').select('id').where(isOf(tokenHash)).executeTakeFirst()) !== undefined
}

/** Ends every session of a staff member except `keep`, after a block, a deletion or a new password. */
export async function deleteSessionsOfStaff(db: Db | Tx, staffId: string, keep?: Buffer): Promise<void> {
  // Sign-ins between the two steps are based on a password that may no longer be valid.
  await db.deleteFrom('sign_in_challenges').where('staff_id', '=', staffId).execute()
  await db
    .deleteFrom('sessions')
    .where('staff_id', '=', staffId)
    .$if(keep !== undefined, (rows) => rows.where(sql<boolean>`${isOf(keep ?? Buffer.alloc(0))} is not true`))
    .execute()
}

/** How long an address counts as known after a sign-in. */
const KNOWN_FOR_MS = 30 * DAY

type SignInAddress = { staff_id: string; address_hash: Buffer; now: Date }

const knownSince = (now: Date) => new Date(now.getTime() - KNOWN_FOR_MS)

/**
 * Stores the network and the device as known, both in the table of addresses. Returns whether one of them is new for a
 * member who has signed in before.
 */
export async function rememberSignIn(
  tx: Tx,
  { staff_id, address_hash, device_hash, now }: SignInAddress & { device_hash: Buffer },
): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    with before as (
      select address_hash in (${address_hash}, ${device_hash}) and last_signed_in_at > ${knownSince(now)} as is_known
        from sign_in_addresses where staff_id = ${staff_id}
    ), remembered as (
      insert into sign_in_addresses (staff_id, address_hash, last_signed_in_at)
      values (${staff_id}, ${address_hash}, ${now}), (${staff_id}, ${device_hash}, ${now})
      on conflict (staff_id, address_hash) do update set last_signed_in_at = excluded.last_signed_in_at
    )
    select count(*) > 0 and count(*) filter (where is_known) < 2 as "isNew" from before`.execute(tx)
  return rows[0]?.isNew ?? false
}

export async function isKnownAddress(db: Db | Tx, { staff_id, address_hash, now }: SignInAddress): Promise<boolean> {
  const known = await db
    .selectFrom('sign_in_addresses')
    .select('staff_id')
    .where('staff_id', '=', staff_id)
    .where('address_hash', '=', address_hash)
    .where('last_signed_in_at', '>', knownSince(now))
    .executeTakeFirst()
  return known !== undefined
}

/** Returns the number of deleted addresses. Keeps each member's latest, which shows that they have signed in before. */
export async function deleteUnusedAddresses(db: Db | Tx, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_addresses as unused')
    .where('last_signed_in_at', '<=', knownSince(now))
    .where((unused) =>
      unused.exists(
        unused
          .selectFrom('sign_in_addresses as later')
          .select('later.staff_id')
          .whereRef('later.staff_id', '=', 'unused.staff_id')
          .whereRef('later.last_signed_in_at', '>', 'unused.last_signed_in_at'),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Deletes expired sessions, password links and sign-in challenges. Returns the number of deleted sessions. */
export async function deleteExpiredSessions(db: Db | Tx, now: Date, idleMs: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where((row) => row.or([row('expires_at', '<=', now), row('last_used_at', '<=', new Date(now.getTime() - idleMs))]))
    .executeTakeFirst()
  await db.deleteFrom('password_links').where('expires_at', '<=', now).execute()
  await db.deleteFrom('sign_in_challenges').where('expires_at', '<=', now).execute()
  return Number(numDeletedRows)
}
