import { sql } from 'kysely'
import type { Db } from '#server/db/client.ts'

/** Texts of each list per query; small, because the embedded engine has one session for everybody. */
const BATCH = 200
/** After this many batches others get their turn, and a server that stops need not wait for long. */
const MOST_BATCHES = 20

/**
 * Rewrites the search texts that were left over when a location, pod, company, customer or staff member with many
 * bookings was renamed. Returns how many it rewrote.
 */
export async function refreshSearchTexts(db: Db): Promise<number> {
  let done = 0
  for (let batch = 0; batch < MOST_BATCHES; batch++) {
    const { rows } = await sql<{ done: number }>`select refresh_search_texts(${sql.lit(BATCH)}) as done`.execute(db)
    if (!rows[0]?.done) break
    done += rows[0].done
  }
  return done
}
