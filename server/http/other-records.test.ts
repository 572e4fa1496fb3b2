import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { listTables, type Table } from '#server/db/tables.ts'
import { createId } from '#server/ids.ts'
import { toMessageKey } from '#server/modules/messages/messages.service.ts'
import { buildBooking, buildSecondFactor, buildSeries, buildTransaction, buildUser } from '#server/testing/factories.ts'
import { allEndpoints, deletable, soundRequests } from '#server/testing/sound-requests.ts'
import { useTestApp } from '#server/testing/test-app.ts'

/**
 * Sends a request to each endpoint that writes, among records that it does not name, and expects every row of these to
 * be as before: a condition that reaches too far shows only in records that no other test looks at.
 */

const test = useTestApp()
const { builders, buildDeleted, samples } = soundRequests(test)

/** Settings of the platform, which every request for them names. */
const settings = new Set<Table>(['pricing', 'message_templates'])
const compared = listTables('record', 'setting', 'session').filter((table) => !settings.has(table))

/** Returns each row as text. */
async function readRows(): Promise<Set<string>> {
  const parts = compared.map((table) => `select '${table} ' || t::text as row from ${table} t`)
  const { rows } = await sql.raw<{ row: string }>(parts.join(' union all ')).execute(test.db)
  return new Set(rows.map(({ row }) => row))
}

/** Builds records of every kind, also deleted ones, with all that is ended, deleted or erased with a record. */
async function buildOthers(): Promise<void> {
  for (const build of Object.values(builders)) await build()
  for (const kind of Object.keys(deletable) as (keyof typeof deletable)[]) await buildDeleted(kind) // its keys
  const { id: staff_id } = await test.db.selectFrom('staff').select('id').executeTakeFirstOrThrow()
  await buildSecondFactor(test.db, staff_id)
  const hash = () => Buffer.from(createId())
  const link = { staff_id, expires_at: new Date('2026-12-01T00:00:00Z') }
  await test.db
    .insertInto('password_links')
    .values({ ...link, token_hash: hash() })
    .execute()
  await test.db
    .insertInto('sign_in_challenges')
    .values({ ...link, token_hash: hash(), user_agent: '' })
    .execute()
  await test.db.insertInto('recovery_codes').values({ staff_id, code_hash: hash() }).execute()
  const noted = { user_id: (await buildUser(test.db, { note: 'Prefers mornings' })).id, note: 'Brings a dog' }
  const { id } = await buildBooking(test.db, noted)
  const cancelled = { status: 'Cancelled', cancelled_at: test.clock.now(), cancel_reason: 'Moved away' } as const
  await buildBooking(test.db, { ...noted, ...cancelled })
  await buildSeries(test.db, { note: 'Every week' })
  await buildTransaction(test.db, { booking_id: id })
  const now = test.clock.now()
  const job = { kind: 'customer message', key: toMessageKey(id), run_at: now, dead_at: now, last_error: 'Refused' }
  await test.db.insertInto('jobs').values(job).execute()
  const response = JSON.stringify({ booking: id })
  await test.db
    .insertInto('idempotency_keys')
    .values({ staff_id, key_hash: hash(), request_hash: hash(), response, created_at: now })
    .execute()
}

/** Adds a booking to each one that the request may be of: in the same pod and of the same people, a week later. */
async function buildBeside(others: ReadonlySet<string>): Promise<void> {
  await sql`
    with beside as (
      insert into bookings
      select (jsonb_populate_record(booking, jsonb_build_object(
               'id', gen_random_uuid(), 'series_id', null, 'booking_date', booking_date + 7,
               'start_time', start_time + interval '7 days', 'end_time', end_time + interval '7 days'))).*
        from bookings as booking where 'bookings ' || booking::text <> all(${[...others]}::text[])
      returning *
    )
    insert into booking_slots (pod_id, slot_start, booking_id) select pod_id, start_time, id from beside`.execute(
    test.db,
  )
}

/** A new order has to name every feature, and these settings are for all locations. */
const ofAll = new Set(['features.reorder', 'bookingActions.setNoShowMinutes', 'messages.setReminders'])
const writing = allEndpoints.filter(({ name }) => samples[name] && !ofAll.has(name))

it.each(writing)('a change leaves every record alone that it is not of: $name', async ({ name, endpoint }) => {
  await buildOthers()
  const others = await readRows()
  const { token } = await test.signIn()
  const sound = await samples[name]?.()
  const own = await readRows()
  await buildBeside(others)
  const before = await readRows()
  const isOther = (row: string) => before.has(row) && (others.has(row) || !own.has(row))
  const response = await test.request(endpoint, { ...sound, token })
  expect(response.status, response.text).toBeLessThan(300)
  const after = await readRows()
  expect([...before].filter((row) => isOther(row) && !after.has(row))).toEqual([])
})
