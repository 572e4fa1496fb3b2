import { sql } from 'kysely'
import type { Db } from '#server/db/client.ts'

/** Of each list at once: the embedded engine has one session for everybody. */
const BATCH = 200
/** Then others have their turn, and a server that stops need not wait for long. */
const MOST_BATCHES = 20

/**
 * Writes the texts anew that were left when a place, a customer or a staff member with many bookings got another name.
 * Answers with how many it wrote.
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
