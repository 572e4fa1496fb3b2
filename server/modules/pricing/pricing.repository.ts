import { sql, type Updateable } from 'kysely'
import type { Actor } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { Database } from '#server/db/schema.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordChange } from '../audit/record-change.ts'
import type { RecordKind } from '../audit/record-kind.ts'

type Pricing = { rate: number; discount: number; version: number }

/** The id of the only row of `pricing`, which the first migration inserts. */
export const PRICING_ID = '1'

/** Returns the rate in ZAR per minute. The driver gives it as exact text; on the wire it is a number (rules §10.6). */
export async function getPricing(db: Db | Tx): Promise<Pricing> {
  const row = await db.selectFrom('pricing').select(['rate', 'discount_minutes', 'version']).executeTakeFirstOrThrow()
  return { rate: Number(row.rate), discount: row.discount_minutes, version: row.version }
}

export async function updatePricing(
  db: Db,
  actor: Actor,
  changes: Pick<Updateable<Database['pricing']>, 'rate' | 'discount_minutes'>,
): Promise<Pricing> {
  return inTransaction(db, async (tx) => {
    await recordChange(tx, actor, settingsRecord, { id: PRICING_ID, action: 'edit' }, () =>
      tx
        .updateTable('pricing')
        .set({ ...changes, updated_at: actor.now() })
        .execute(),
    )
    return getPricing(tx)
  })
}

export const settingsRecord: RecordKind = {
  entity: 'settings',
  table: 'pricing',
  label: sql`'Rate and discount'`,
  leftOut: ['cancel_policy', 'cancel_reasons', 'second_factor_required'],
  isDeletable: false,
  find: getPricing,
}
