import { type RawBuilder, sql } from 'kysely'
import type { Requirement } from '#contract/second-factors.ts'
import type { Db, Tx } from '#server/db/client.ts'

/** Tests whether the staff member whose id is in the column `staffId` has an authenticator app or a passkey. */
export function hasSecondFactor(staffId: string): RawBuilder<boolean> {
  return sql`(exists (select from second_factors where staff_id = ${sql.ref(staffId)} and confirmed_at is not null)
    or exists (select from passkeys where staff_id = ${sql.ref(staffId)}))`
}

/** Tests whether everyone must have a second factor, and the staff member in the column `staffId` has none. */
export function mustSetUpSecondFactor(staffId: string): RawBuilder<boolean> {
  return sql`((select second_factor_required from pricing) and not ${hasSecondFactor(staffId)})`
}

export async function isRequired(db: Db | Tx): Promise<boolean> {
  const row = await db.selectFrom('pricing').select('second_factor_required').executeTakeFirstOrThrow()
  return row.second_factor_required
}

export async function getRequirement(db: Db | Tx, staffId: string): Promise<Requirement> {
  const { rows } = await sql<Requirement>`
    select pricing.second_factor_required as "isRequired", pricing.version,
           count(active.id) as staff, count(active.id) filter (where active.has_one) as "staffWithSecondFactor",
           coalesce(bool_or(active.has_one) filter (where active.id = ${staffId}), false) as "isOwnSetUp"
      from pricing
      left join (
        select id, ${hasSecondFactor('staff.id')} as has_one from staff where not is_blocked and deleted_at is null
      ) as active on true
     group by pricing.id`.execute(db)
  const [requirement] = rows
  if (!requirement) throw new Error('The row of the settings is missing')
  return requirement
}

export async function setRequired(tx: Tx, isRequired: boolean, now: Date): Promise<void> {
  await tx.updateTable('pricing').set({ second_factor_required: isRequired, updated_at: now }).execute()
}

/** Returns the confirmed authenticator app, which counts at sign-in. */
export async function findFactor(db: Db | Tx, staffId: string) {
  return db
    .selectFrom('second_factors')
    .select(['id', 'secret', 'confirmed_at'])
    .where('staff_id', '=', staffId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
}

/** Returns a key created after `since` that has not been confirmed by a code yet. */
export async function findNewKey(tx: Tx, staffId: string, since: Date) {
  return tx
    .selectFrom('second_factors')
    .select(['id', 'secret'])
    .where('staff_id', '=', staffId)
    .where('confirmed_at', 'is', null)
    .where('created_at', '>', since)
    .executeTakeFirst()
}

/** Inserts a key, and deletes one that was never confirmed. */
export async function replaceNewKey(
  tx: Tx,
  key: { id: string; staff_id: string; secret: string; created_at: Date },
): Promise<void> {
  await tx.deleteFrom('second_factors').where('staff_id', '=', key.staff_id).where('confirmed_at', 'is', null).execute()
  await tx.insertInto('second_factors').values(key).execute()
}

/** Confirms a key, and deletes the one that has counted until now. */
export async function confirmKey(tx: Tx, staffId: string, id: string, now: Date): Promise<void> {
  await tx.deleteFrom('second_factors').where('staff_id', '=', staffId).where('id', '!=', id).execute()
  await tx.updateTable('second_factors').set({ confirmed_at: now }).where('id', '=', id).execute()
}

/** Uses up a time step. Returns false when a code of this step, or of a later one, was accepted already. */
export async function takeStep(tx: Tx, id: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('id', '=', id)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function replaceRecoveryCodes(tx: Tx, staffId: string, hashes: readonly Buffer[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('staff_id', '=', staffId).execute()
  const rows = hashes.map((code_hash) => ({ code_hash, staff_id: staffId }))
  await tx.insertInto('recovery_codes').values(rows).execute()
}

/** Uses up a recovery code. Returns false when it is not one of the person's, or was used already. */
export async function takeRecoveryCode(tx: Tx, staffId: string, code_hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('code_hash', '=', code_hash)
    .where('staff_id', '=', staffId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function countRecoveryCodes(db: Db | Tx, staffId: string): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('left'))
    .where('staff_id', '=', staffId)
    .executeTakeFirstOrThrow()
  return left
}

export async function deleteRecoveryCodes(tx: Tx, staffId: string): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('staff_id', '=', staffId).execute()
}

/** Deletes the authenticator app and any unconfirmed key. Returns false when there was no confirmed app. */
export async function deleteFactor(tx: Tx, staffId: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('second_factors')
    .where('staff_id', '=', staffId)
    .returning('confirmed_at')
    .execute()
  return deleted.some(({ confirmed_at }) => confirmed_at !== null)
}
