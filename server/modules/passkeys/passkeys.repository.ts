import type { Insertable, Selectable } from 'kysely'
import type { Passkey } from '#contract/passkeys.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { Database } from '#server/db/schema.ts'
import { personColumns } from '../auth/person.ts'

const shown = ['id', 'name', 'created_at', 'last_used_at'] as const

export function toPasskey(row: Pick<Selectable<Database['passkeys']>, (typeof shown)[number]>): Passkey {
  return {
    _id: row.id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }
}

export async function listPasskeys(db: Db | Tx, staffId: string) {
  return db
    .selectFrom('passkeys')
    .select([...shown, 'credential_id', 'transports'])
    .where('staff_id', '=', staffId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function countPasskeys(db: Db | Tx, staffId: string): Promise<number> {
  const { count } = await db
    .selectFrom('passkeys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('staff_id', '=', staffId)
    .executeTakeFirstOrThrow()
  return count
}

export async function findPasskey(tx: Tx, staffId: string, credentialId: string) {
  return tx
    .selectFrom('passkeys')
    .select(['id', 'credential_id', 'public_key', 'counter', 'transports'])
    .where('staff_id', '=', staffId)
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
}

/** Returns the owner of a passkey, even when blocked. */
export async function findOwner(db: Db, credentialId: string) {
  return db
    .selectFrom('passkeys')
    .innerJoin('staff', 'staff.id', 'passkeys.staff_id')
    .select(personColumns)
    .where('credential_id', '=', credentialId)
    .where('staff.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Returns false when a passkey with that credential id exists already, whoever owns it. */
export async function insertPasskey(tx: Tx, passkey: Insertable<Database['passkeys']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function notePasskeyUse(tx: Tx, id: string, { counter, now }: { counter: number; now: Date }) {
  await tx.updateTable('passkeys').set({ counter, last_used_at: now }).where('id', '=', id).execute()
}

/** Returns the passkey with its earlier name; undefined when the person has no passkey with that id. */
export async function renamePasskey(tx: Tx, staffId: string, id: string, name: string) {
  const before = await tx
    .selectFrom('passkeys')
    .select('name')
    .where('staff_id', '=', staffId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!before) return undefined
  const row = await tx
    .updateTable('passkeys')
    .set({ name })
    .where('staff_id', '=', staffId)
    .where('id', '=', id)
    .returning(shown)
    .executeTakeFirstOrThrow()
  return { row, earlier: before.name }
}

/** Returns the name of the deleted passkey; undefined when the person has no passkey with that id. */
export async function deletePasskey(tx: Tx, staffId: string, id: string): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('staff_id', '=', staffId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}

/** Deletes all passkeys of a person. Returns false when there were none. */
export async function deletePasskeys(tx: Tx, staffId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('passkeys').where('staff_id', '=', staffId).executeTakeFirst()
  return numDeletedRows > 0n
}
