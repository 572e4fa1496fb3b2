import type { Db, Tx } from '#server/db/client.ts'

/** One row, made by the first migration. The rate is exact text from the driver, a number on the wire (rules §10.6). */
export async function getPricing(db: Db | Tx): Promise<{ rate: number; discount: number }> {
  const row = await db.selectFrom('pricing').select(['rate', 'discount_minutes']).executeTakeFirstOrThrow()
  return { rate: Number(row.rate), discount: row.discount_minutes }
}

/** ZAR a minute. */
export async function setRate(db: Db, rate: number, now: Date): Promise<void> {
  await db.updateTable('pricing').set({ rate, updated_at: now }).execute()
}

export async function setDiscountMinutes(db: Db, discountMinutes: number, now: Date): Promise<void> {
  await db.updateTable('pricing').set({ discount_minutes: discountMinutes, updated_at: now }).execute()
}
