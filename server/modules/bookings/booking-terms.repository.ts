import { sql } from 'kysely'
import type { CancelPolicy } from '#contract/cancel-policy.ts'
import type { Db, Tx } from '#server/db/client.ts'

/** The terms under which a pod is sold now; each booking keeps a copy. `rate` is ZAR per minute. */
export type BookingTerms = { rate: number; discountMinutes: number; cancelPolicy: CancelPolicy }

export async function getBookingTerms(db: Db | Tx, podIds: readonly string[]): Promise<Map<string, BookingTerms>> {
  const { rows } = await sql<BookingTerms & { id: string }>`
    select pods.id, pods.rate::float8 as rate, pricing.discount_minutes as "discountMinutes",
           coalesce(locations.cancel_policy, pricing.cancel_policy) as "cancelPolicy"
      from pods join locations on locations.id = pods.location_id cross join pricing
     where pods.id = any(${podIds}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, ...terms }) => [id, terms]))
}
