import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.ts'

/** Gives these pods the count of their rated bookings and a mean between 4.1 and 4.9 that belongs to the pod. */
export async function rateFinishedPods(db: Db | Tx, podIds: readonly string[]): Promise<void> {
  await sql`
    update pods set rating_count = rated.count,
      total_rating = to_char(4.1 + (hashtextextended(pods.slug, 5) & 255) % 9 / 10.0, 'FM9.0')
    from (
      select pod_id, count(*) as count from bookings
      where status = 'Rated' and pod_id = any (${podIds}::uuid[]) group by pod_id
    ) as rated
    where rated.pod_id = pods.id`.execute(db)
}
