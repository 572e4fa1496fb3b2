import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { bookingStatuses } from '#contract/booking-statuses.ts'
import { BookingListQuery } from '#contract/bookings.ts'
import { TransactionListQuery } from '#contract/transactions.ts'
import { UserListQuery } from '#contract/users.ts'
import { listBookings } from '#server/modules/bookings/bookings.repository.ts'
import { listTransactions } from '#server/modules/transactions/transactions.repository.ts'
import { listUsers } from '#server/modules/users/users.repository.ts'
import { buildBooking, buildPod, buildTransaction, buildUser } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { inTransaction } from '../transaction.ts'
import { foldRowCounts } from './row-counts.ts'

const test = useTestApp({}, { poolSize: 8 })

/** Returns the counts in row_counts and the actual ones, for every list, time, day, status and kind. */
async function compareCounts(): Promise<{ counted: unknown[]; there: unknown[] }> {
  const { rows: counted } = await sql`
    select list, day_of, day::text, status, kind, sum(n)::int as n from row_counts
     group by list, day_of, day, status, kind having sum(n) <> 0
     order by list, day_of, day, status, kind`.execute(test.db)
  const { rows: there } = await sql`
    select list, day_of, day::text, status, kind, count(*)::int as n from (
      select 'bookings' as list, day_of, unit, at, status, location_id::text as kind
        from bookings cross join lateral (
          values ('', '', created_at), ('created_at', 'day', created_at), ('created_month', 'month', created_at),
                 ('start_time', 'day', start_time), ('start_month', 'month', start_time)
        ) as days (day_of, unit, at)
      union all
      select 'transactions', day_of, unit, created_at, status, payment_facilitator
        from transactions cross join (values ('', ''), ('created_at', 'day'), ('created_month', 'month')) as days (day_of, unit)
      union all
      select 'users', day_of, unit, created_at, case when is_blocked then 'blocked' else 'active' end, ''
        from users cross join (values ('', ''), ('created_at', 'day'), ('created_month', 'month')) as days (day_of, unit)
       where deleted_at is null
    ) as there, lateral (
      select case when unit = '' then date '-infinity' else date_trunc(unit, at at time zone 'UTC')::date end as day
    ) as days
    group by list, day_of, day, status, kind
    order by list, day_of, day, status, kind`.execute(test.db)
  return { counted, there }
}

async function expectExact(): Promise<void> {
  const { counted, there } = await compareCounts()
  expect(counted).toEqual(there)
}

describe('row counts', () => {
  it('stay exact after inserts, changes and deletions of one or many rows, rollbacks and folding', async () => {
    const pod = await buildPod(test.db)
    const user = await buildUser(test.db)
    const blocked = await buildUser(test.db, { is_blocked: true })
    const booking = await buildBooking(test.db, { pod_id: pod.id, user_id: user.id })
    await buildTransaction(test.db, { booking_id: booking.id, status: 'pending' })
    await expectExact()
    await sql`
      insert into bookings (id, pod_id, location_id, user_id, booking_date, purpose, start_time, end_time, slot_count, status)
      select gen_random_uuid(), ${pod.id}, ${pod.location_id}, ${user.id}, day::date, '', day, day + interval '1 hour', 5,
             (${[...bookingStatuses]}::text[])[1 + n % 6]
        from generate_series(1, 500) as n, lateral (select timestamptz '2026-01-01Z' + n * interval '7 hours' as day) as d
    `.execute(test.db)
    await expectExact()
    await sql`update bookings set status = 'Completed' where status in ('Pending', 'Processing')`.execute(test.db)
    await sql`update bookings set start_time = start_time - interval '30 days', end_time = end_time - interval '30 days'`.execute(
      test.db,
    )
    await sql`update transactions set status = 'completed', payment_facilitator = 'Other'`.execute(test.db)
    await sql`update users set is_blocked = not is_blocked`.execute(test.db)
    await expectExact()
    await sql`update users set deleted_at = now() where id = ${blocked.id}`.execute(test.db)
    await sql`delete from bookings where status = 'Cancelled'`.execute(test.db)
    await expectExact()
    const undone = inTransaction(test.db, async (tx) => {
      await sql`delete from transactions`.execute(tx)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await expectExact()
    expect(await foldRowCounts(test.db)).toBeGreaterThan(0)
    await expectExact()
    expect(await foldRowCounts(test.db)).toBe(0)
  })

  it('stay exact during concurrent writes and folding', async () => {
    const pods = [await buildPod(test.db), await buildPod(test.db)]
    const user = await buildUser(test.db)
    const write = async (writer: number) => {
      for (let n = 0; n < 15; n++) {
        const start_time = new Date(Date.UTC(2026, 10, 23 + n, 6 + writer))
        const { id } = await buildBooking(test.db, { pod_id: pods[n % 2]?.id ?? '', user_id: user.id, start_time })
        if (n % 3 === 0) await sql`update bookings set status = 'Cancelled' where id = ${id}`.execute(test.db)
        if (n % 5 === 0) await foldRowCounts(test.db)
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
    await Promise.all([foldRowCounts(test.db), foldRowCounts(test.db), write(9)])
    const { counted, there } = await compareCounts()
    expect(counted).toEqual(there)
  })

  it('are emptied when their list is truncated', async () => {
    await buildTransaction(test.db)
    await buildUser(test.db)
    await sql`truncate transactions`.execute(test.db)
    const { counted, there } = await compareCounts()
    expect(counted).toEqual(there)
  })
})

/**
 * Compares every page and its total with the whole list: reading from row_counts may only make a difference in time.
 */
describe('a page deep in a list', () => {
  async function fill(rows: number): Promise<void> {
    const pod = await buildPod(test.db)
    const other = await buildPod(test.db)
    const user = await buildUser(test.db)
    await sql`
      insert into bookings (id, pod_id, location_id, user_id, booking_date, purpose, start_time, end_time, slot_count, status, created_at)
      select gen_random_uuid(), case when n % 3 = 0 then ${pod.id}::uuid else ${other.id}::uuid end,
             case when n % 3 = 0 then ${pod.location_id}::uuid else ${other.location_id}::uuid end, ${user.id}, start::date, '',
             start, start + interval '1 hour', 5, (${[...bookingStatuses]}::text[])[1 + n % 6],
             start - (n % 17) * interval '11 hours'
        from generate_series(1, ${rows}::int) as n,
             lateral (select timestamptz '2026-01-01T06:00Z' + (n % 900) * interval '3 hours' as start) as s
    `.execute(test.db)
    await sql`
      insert into transactions (id, booking_id, amount, merchant_id, checkout_id, payment_facilitator, status, created_at)
      select gen_random_uuid(), id, 100, '', '', case when status = 'Rated' then 'Ozow' else 'Yoco' end,
             case when status = 'Pending' then 'pending' else 'completed' end, created_at
        from bookings`.execute(test.db)
    await sql`
      insert into users (id, firstname, lastname, email, mobile, role, username, is_blocked, created_at)
      select gen_random_uuid(), 'A', n::text, n || '@example.com', '', '', '', n % 4 = 0, timestamptz '2026-01-01Z' + n * interval '1 hour'
        from generate_series(1, ${rows}::int) as n`.execute(test.db)
  }

  type Read = (query: Record<string, string>) => Promise<{ rows: { _id: string }[]; total: unknown }>
  const reads: Record<string, Read> = {
    bookings: (query) => listBookings(test.db, BookingListQuery.parse(query), new Date()).readPage(),
    transactions: (query) =>
      listTransactions(test.db, TransactionListQuery.parse(query), 'Africa/Johannesburg').readPage(),
    users: (query) => listUsers(test.db, UserListQuery.parse(query)).readPage(),
  }

  /** Reads page after page until one is not full, and collects the totals. */
  async function readAll(read: Read, query: Record<string, string>) {
    const ids: string[] = []
    const totals = new Set<unknown>()
    for (let page = 1; ; page++) {
      const { rows, total } = await read({ ...query, page: String(page), limit: '100' })
      ids.push(...rows.map(({ _id }) => _id))
      totals.add(total)
      if (rows.length < 100) {
        const beyond = await read({ ...query, page: String(page + 1), limit: '100' })
        return { ids, totals: [...totals], beyond: beyond.rows }
      }
    }
  }

  const lists = [
    ['bookings', {}],
    ['bookings', { status: 'Rated', sort: 'createdAt' }],
    ['bookings', { sort: 'startTime' }],
    ['bookings', { sort: '-startTime', from: '2026-01-05', to: '2026-04-20' }],
    ['bookings', { from: '2026-01-05' }],
    ['transactions', {}],
    ['transactions', { facilitator: 'Yoco', status: 'completed', sort: 'createdAt' }],
    ['transactions', { from: '2026-01-05', to: '2026-04-01' }],
    ['transactions', { from: '2026-01-05', to: '2026-01-05' }],
    ['transactions', { to: '2026-03-01' }],
    ['users', { status: 'active' }],
  ] as const

  // A single test, as filling the lists takes longer than reading them.
  it('has the same rows and total as without row counts', { timeout: 120_000 }, async () => {
    await fill(2_600)
    for (const [list, query] of lists) {
      const read = reads[list]
      if (!read) throw new Error(list)
      const { ids, totals, beyond } = await readAll(read, query)
      const what = `${list} ${JSON.stringify(query)}`
      expect(ids.length, what).toBeGreaterThan(20)
      expect(totals, what).toEqual([ids.length])
      expect(beyond, what).toEqual([])
      expect(new Set(ids).size, what).toBe(ids.length)
      // The same rows in a plain sort, without row_counts.
      const sort: string = 'sort' in query ? query.sort : '-createdAt'
      const column = sort.includes('startTime') ? 'start_time' : 'created_at'
      const direction = sort.startsWith('-') ? 'desc' : 'asc'
      const { rows } = await sql<{ id: string }>`
        select id from ${sql.table(list)} where id = any(${ids}::uuid[])
         order by ${sql.ref(column)} ${sql.raw(direction)}, id ${sql.raw(direction)}`.execute(test.db)
      expect(ids, what).toEqual(rows.map(({ id }) => id))
    }
  })
})
