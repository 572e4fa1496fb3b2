import type { Insertable } from 'kysely'
import type { Db, Tx } from '#server/db/client.ts'
import type { Database } from '#server/db/schema.ts'
import { toTokenHash } from '#server/http/session.ts'
import { CHALLENGE_FOR_MS } from '../passkeys/webauthn.ts'
import { toStoredAgent } from './auth.repository.ts'
import { type PersonRow, personColumns } from './person.ts'

/** A challenge, and the browser that it was sent to or that sends it back. */
type Asked = { challenge: string; userAgent: string; now: Date }
type Purpose = Pick<Insertable<Database['sign_in_challenges']>, 'purpose' | 'staff_id'>

export async function createChallenge(
  db: Db | Tx,
  { challenge, userAgent, now }: Asked,
  purpose: Purpose,
): Promise<void> {
  await db
    .insertInto('sign_in_challenges')
    .values({
      ...purpose,
      token_hash: toTokenHash(challenge),
      user_agent: toStoredAgent(userAgent),
      expires_at: new Date(now.getTime() + CHALLENGE_FOR_MS),
    })
    .execute()
}

/** Returns the owner of a live challenge of the second sign-in step; undefined when they may no longer sign in. */
export async function findChallenge(db: Db, { challenge, userAgent, now }: Asked): Promise<PersonRow | undefined> {
  return db
    .selectFrom('sign_in_challenges')
    .innerJoin('staff', 'staff.id', 'sign_in_challenges.staff_id')
    .select(personColumns)
    .where('token_hash', '=', toTokenHash(challenge))
    .where('purpose', '=', 'second-factor')
    .where('user_agent', '=', toStoredAgent(userAgent))
    .where('expires_at', '>', now)
    .where('staff.is_blocked', '=', false)
    .where('staff.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Returns false when the challenge has been used or deleted meanwhile. */
export async function deleteChallenge(tx: Tx, challenge: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sign_in_challenges')
    .where('token_hash', '=', toTokenHash(challenge))
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Uses a challenge up. Returns false when there is no live one for this purpose, staff member and user agent. */
export async function takeChallenge(
  db: Db | Tx,
  { challenge, userAgent, now }: Asked,
  { purpose, staff_id }: { purpose: 'sign-in' | 'add-passkey'; staff_id: string | null },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_challenges')
    .where('token_hash', '=', toTokenHash(challenge))
    .where('purpose', '=', purpose)
    .where('staff_id', 'is not distinct from', staff_id)
    .where('user_agent', '=', toStoredAgent(userAgent))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Deletes the challenges of passkey dialogs that were abandoned. */
export async function deleteChallengesToAddPasskeys(tx: Tx, staffId: string): Promise<void> {
  await tx
    .deleteFrom('sign_in_challenges')
    .where('staff_id', '=', staffId)
    .where('purpose', '=', 'add-passkey')
    .execute()
}
