import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toClockLabel, toMark } from '#contract/slots.ts'
import { BLANKS } from '#server/http/csv.ts'
import { openTestDatabase, type TestDatabase } from '#server/testing/test-database.ts'
import { formatTime, fullName, orNotAvailable } from './formatters.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.remove())

it('formats each quarter of an hour as the portal does, whatever the time zone of the database session', async () => {
  const { rows } = await database.db.connection().execute(async (connection) => {
    await sql`set timezone = 'Asia/Kathmandu'`.execute(connection)
    const day = sql`generate_series(timestamptz '2026-03-29T00:00Z', '2026-03-29T23:45Z', '15 minutes') as mark`
    const read = await sql<{ word: string }>`select ${formatTime(sql`mark`)} as word from ${day}`.execute(connection)
    await sql`reset timezone`.execute(connection)
    return read
  })
  const marks = Array.from({ length: 96 }, (_, quarter) => toMark(quarter * 15))
  expect(rows.map(({ word }) => word)).toEqual(marks.map(toClockLabel))
})

it('trims all blanks around a full name, and shows N/A for an empty or missing name', async () => {
  const people = sql`(values ('Zoë', 'Ng'), (${BLANKS}, ${`x${BLANKS}`}), ('', ''), (null, 'x')) as people (firstname, lastname)`
  const { rows } = await sql<{ name: string | null; cell: string }>`
    select ${fullName} as name, ${orNotAvailable(fullName)} as cell from ${people}`.execute(database.db)
  expect(rows).toEqual([
    { name: 'Zoë Ng', cell: 'Zoë Ng' },
    { name: 'x', cell: 'x' },
    { name: '', cell: 'N/A' },
    { name: null, cell: 'N/A' },
  ])
})
