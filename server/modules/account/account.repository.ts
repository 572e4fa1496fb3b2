import { sql } from 'kysely'
import type { AccountSession } from '#contract/account.ts'
import type { Person } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { byText } from '#server/db/lists/pagination.ts'
import { findCountry } from '../auth/country.ts'
import { toDevice } from './device.ts'

const MOST_SHOWN = 200

/** Lists the person's live sessions, the current one first. Leaves out expired ones that are not swept yet. */
export async function listSessions(
  db: Db,
  { staff, tokenHash }: Person,
  { now, idleMs }: { now: Date; idleMs: number },
): Promise<AccountSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'address', 'user_agent', 'created_at', 'last_used_at', 'token_hash'])
    .where('staff_id', '=', staff._id)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', new Date(now.getTime() - idleMs))
    .orderBy(sql`token_hash = ${tokenHash}`, 'desc')
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(MOST_SHOWN)
    .execute()
  return rows.map((row) => ({
    _id: row.id,
    device: toDevice(row.user_agent),
    address: row.address,
    country: findCountry(row.address),
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    isThis: row.token_hash.equals(tokenHash),
  }))
}

/** Lists the names of the person's locations; `narrowed` must be narrowed to these. */
export async function listLocationNames(narrowed: Db): Promise<string[]> {
  const rows = narrowed.selectFrom('locations').select('name').where('deleted_at', 'is', null)
  return (await rows.orderBy(byText(sql.ref('name'))).execute()).map(({ name }) => name)
}

/** Ends one of the person's sessions and returns its device and address; undefined when they have no such session. */
export async function deleteOwnSession(tx: Tx, { staff }: Person, id: string) {
  const row = await tx
    .deleteFrom('sessions')
    .where('staff_id', '=', staff._id)
    .where('id', '=', id)
    .returning(['address', 'user_agent'])
    .executeTakeFirst()
  return row && { device: toDevice(row.user_agent), address: row.address }
}
