import { type Kysely, sql } from 'kysely'
import { parseCountry } from '#contract/countries.ts'

/**
 * A location's country used to be whatever was typed. Now it is an ISO 3166 alpha-2 code; what cannot be understood
 * stays as it is until somebody edits the location and chooses one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ typed: string }>`select distinct country_code as typed from locations`.execute(db)
  for (const { typed } of rows) {
    const code = parseCountry(typed)
    if (code === undefined || code === typed) continue
    await sql`update locations set country_code = ${code} where country_code = ${typed}`.execute(db)
  }
}
