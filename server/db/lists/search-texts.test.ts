import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { type Route, routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import {
  buildBooking,
  buildCompany,
  buildFeature,
  buildLocation,
  buildPod,
  buildStaff,
  buildTransaction,
  buildUser,
} from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { refreshSearchTexts } from './refresh-search-texts.ts'
import { toSearchText } from './search-words.ts'
import { searchedLists } from './search.ts'

const test = useTestApp()

/** Returns the texts that differ from what the tables say, or are missing on either side. */
async function findWrongTexts(): Promise<unknown[]> {
  const wrong = searchedLists.map((list) => {
    const [made, kept] = [sql.table(`${list}_search`), sql.table(`${list}_search_texts`)]
    return sql`
      select ${sql.lit(list)} as list, coalesce(made.id, kept.record_id) as id, made.text as made, kept.text as kept
        from ${made} as made full join ${kept} as kept on kept.record_id = made.id
       where made.text is distinct from kept.text`
  })
  return (await sql`${sql.join(wrong, sql` union all `)}`.execute(test.db)).rows
}

const run = (statement: string, ...values: unknown[]) =>
  sql`${sql.join(
    statement.split('?').map((part, at) => (at < values.length ? sql`${sql.raw(part)}${values[at]}` : sql.raw(part))),
    sql``,
  )}`.execute(test.db)

describe('search texts', () => {
  it('match the tables after any change', async () => {
    const one = (table: string) => `(select id from ${table} order by md5(id::text || ?) limit 1)`
    const email = () => `${createId()}@example.com`
    const changes: ((word: string) => Promise<unknown>)[] = [
      (word) => buildUser(test.db, { firstname: word, email: email() }),
      (word) => buildStaff(test.db, { lastname: word, email: email() }),
      (name) => buildLocation(test.db, { name: name || 'x' }),
      (name) => buildFeature(test.db, { name: name || 'x' }),
      async (title) => buildPod(test.db, { title: title || 'x', location_id: (await buildLocation(test.db)).id }),
      (purpose) => buildBooking(test.db, { purpose }),
      (name) => buildCompany(test.db, { name: name || 'x' }),
      (checkout_id) => buildTransaction(test.db, { checkout_id }),
      async () => buildTransaction(test.db, { booking_id: (await buildBooking(test.db)).id }),
      (word) => run(`update pods set title = ? || 'x' where id = ${one('pods')}`, word, word),
      (word) => run(`update pods set location_id = ${one('locations')} where id = ${one('pods')}`, word, `${word}2`),
      (word) => run(`update pods set capacity = nullif(length(?), 0) where id = ${one('pods')}`, word, word),
      (word) => run(`update locations set city = ?, name = name || 'y' where id = ${one('locations')}`, word, word),
      (word) => run('update locations set zip = ?', word),
      (word) => run(`update users set mobile = ?, username = ? where id = ${one('users')}`, word, word, word),
      (word) => run('update users set lastname = ? || left(lastname, 20)', word),
      (word) => run(`update staff set firstname = ? || 'x' where id = ${one('staff')}`, word, word),
      (word) => run('update features set name = ? || left(name, 20)', word),
      (word) => run(`update bookings set purpose = ? where id = ${one('bookings')}`, word, word),
      (word) => run(`update bookings set pod_id = ${one('pods')} where id = ${one('bookings')}`, word, `${word}2`),
      (word) => run(`update bookings set company_id = ${one('companies')} where user_id is null`, word),
      (word) => run(`update companies set name = ? || 'x', phone = ? where id = ${one('companies')}`, word, word, word),
      () => run(`update bookings set status = 'Completed'`),
      (word) => run(`update transactions set checkout_id = ? where id = ${one('transactions')}`, word, word),
      (word) => run(`update transactions set booking_id = ${one('bookings')} where booking_id is null`, word),
      (word) => run(`delete from transactions where id = ${one('transactions')}`, word),
      () => run('delete from bookings where not exists (select from transactions where booking_id = bookings.id)'),
      () => run('truncate transactions'),
    ]
    const change = fc.record({ at: fc.nat(changes.length - 1), word: fc.string({ unit: 'grapheme', maxLength: 12 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 10, maxLength: 30 }), async (made) => {
        for (const { at, word } of made) await changes[at]?.(word.replaceAll('\0', ''))
        await refreshSearchTexts(test.db)
        expect(await findWrongTexts()).toEqual([])
      }),
      { numRuns: 10 },
    )
  }, 120_000)

  it('are updated at once for up to 1,000 records after a rename, and by a job for the rest', async () => {
    const pod = await buildPod(test.db, { title: 'Observatory' })
    const user = await buildUser(test.db)
    await sql`
      insert into bookings (id, pod_id, location_id, user_id, booking_date, purpose, start_time, end_time, slot_count, status)
      select gen_random_uuid(), ${pod.id}, ${pod.location_id}, ${user.id}, day::date, '', day, day + interval '1 hour', 5, 'Completed'
        from generate_series(1, 1005) as n, lateral (select timestamptz '2020-01-01Z' + n * interval '1 day' as day) as d
    `.execute(test.db)
    const { token } = await test.signIn()
    const count = async (search: string) =>
      Number(
        (await test.request(routes.bookings.list, { token, query: { page: '1', search } })).headers['x-total-count'],
      )
    await run(`update pods set title = 'Planetarium' where id = ?`, pod.id)
    expect([await count('planetarium'), await count('observatory')]).toEqual([1000, 5])
    expect(await refreshSearchTexts(test.db)).toBe(5)
    expect([await count('planetarium'), await refreshSearchTexts(test.db)]).toEqual([1005, 0])
    expect(await findWrongTexts()).toEqual([])
  })

  it('are normalised in the same way as typed searches', async () => {
    const letters = fc.constantFrom(...Array.from("aZéÉßñÅœİıΣσçﬁ’'.@_-+%\\ 0٣李غ🏠ẞǅ"))
    const texts = fc.array(fc.string({ unit: letters, maxLength: 12 }), { minLength: 30, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(texts, async (texts) => {
        const { rows } = await sql<{ text: string }>`
          select search_text(typed) as text from unnest(${texts}::text[]) with ordinality as given (typed, n) order by n
        `.execute(test.db)
        expect(rows.map(({ text }) => text)).toEqual(texts.map((typed) => ` ${toSearchText(typed)}`))
      }),
      { numRuns: 30 },
    )
  })
})

describe('a search of a list', () => {
  async function find(search: string, route: Route = routes.users.list): Promise<string[]> {
    const { token } = await test.signIn()
    const { body } = await test.request(route, { token, query: { search, page: '1' } })
    return (Array.isArray(body) ? body : body.data).map((row: { _id: string }) => row._id)
  }

  const dialled =
    '072 555 0158|0725550158|+27725550158|+27 72 555 0158|27725550158|072-555-0158|(072) 555-0158|0027 72 555 0158|+27 (0)72 555 0158'
  it.each(dialled.split('|'))('finds a phone number stored as %s in every spelling', async (mobile) => {
    const user = await buildUser(test.db, { mobile })
    await buildUser(test.db, { mobile: '072 555 0159' })
    const booking = await buildBooking(test.db, { user_id: user.id })
    const payment = await buildTransaction(test.db, { booking_id: booking.id })
    for (const typed of [...dialled.split('|'), '555 0158', '072 555 015 8']) {
      expect([typed, await find(typed)]).toEqual([typed, [user.id]])
    }
    expect(await find('+27 (72) 555 0158', routes.bookings.list)).toEqual([booking.id])
    expect(await find('0725550158', routes.transactions.list)).toEqual([payment.id])
    expect(await find(`${user.firstname} 0725550158`)).toEqual([user.id])
  })

  it('finds numbers with signs as they are written in names, addresses and codes', async () => {
    const location = await buildLocation(test.db, { street: '100-102 Long Street' })
    const pod = await buildPod(test.db, { title: 'Nest (2)', location_id: location.id })
    await buildPod(test.db, { title: 'Nest (3)', location_id: location.id })
    const payment = await buildTransaction(test.db, { checkout_id: '4711-0815' })
    expect(await find('100-102 long', routes.locations.list)).toEqual([location.id])
    expect(await find('nest (2)', routes.pods.list)).toEqual([pod.id])
    expect(await find('4711-0815', routes.transactions.list)).toEqual([payment.id])
  })

  it('matches inside words, but one or two letters only where a word begins, not inside an address', async () => {
    const user = await buildUser(test.db, { firstname: 'Zanele', lastname: 'Dube', email: 'zd@mail.co.za', mobile: '' })
    for (const typed of ['nele', 'z', 'du', 'd z', 'dube zan', 'zd@mail', 'mail.co.za', '.co.', '@']) {
      expect([typed, await find(typed)]).toEqual([typed, [user.id]])
    }
    for (const typed of ['ne', 'co', 'e', 'd x', 'zd@co', 'zd.mail']) {
      expect([typed, await find(typed)]).toEqual([typed, []])
    }
  })

  it('ignores accents and the kind of apostrophe', async () => {
    const user = await buildUser(test.db, { firstname: 'Zoë', lastname: 'O’Brien-Núñez' })
    for (const typed of ['zoe', 'ZOË', "o'brien", 'O’BRIEN', 'nunez', 'brien-nu']) {
      expect([typed, await find(typed)]).toEqual([typed, [user.id]])
    }
  })

  it('ignores commas, semicolons and quotation marks around words', async () => {
    const user = await buildUser(test.db, { firstname: 'Zanele', lastname: 'Mokoena', email: 'zm@example.com' })
    const location = await buildLocation(test.db, { name: 'Ridgeside, Umhlanga', city: 'Durban' })
    const pod = await buildPod(test.db, { title: 'Lighthouse', location_id: location.id })
    for (const typed of ['Mokoena, Zanele', 'zanele ; moko', '“Zanele Mokoena”', 'zm@example.com;']) {
      expect([typed, await find(typed)]).toEqual([typed, [user.id]])
    }
    // As the screens name a pod.
    expect(await find('Lighthouse, Ridgeside, Umhlanga', routes.pods.list)).toEqual([pod.id])
    expect(await find('umhlanga, Ridgeside,', routes.locations.list)).toEqual([location.id])
    expect(await find(',', routes.locations.list)).toEqual([location.id])
  })

  it('counts up to 10,000 rows exactly and more as 10000+, and still returns the pages beyond', async () => {
    const { token } = await test.signIn()
    const add = (from: number, to: number) =>
      sql`insert into users (id, firstname, lastname, email, mobile, role, username)
          select gen_random_uuid(), 'Crowd', '', n || '@example.com', '', 'user', ''
            from generate_series(${from}::int, ${to}::int) as n`.execute(test.db)
    const read = async (query: Record<string, string>) => {
      const { headers, body } = await test.request(routes.users.list, { token, query })
      return [headers['x-total-count'], body.length]
    }
    await add(1, 10_000)
    expect(await read({ search: 'crowd', page: '1000' })).toEqual(['10000', 10])
    await add(10_001, 10_003)
    expect(await read({ search: 'crowd', page: '1' })).toEqual(['10000+', 10])
    expect(await read({ search: 'crowd', page: '1001' })).toEqual(['10000+', 3])
    expect(await read({ search: 'crowd', status: 'blocked', page: '1' })).toEqual(['0', 0])
    expect(await read({ page: '1' })).toEqual(['10003', 10])
  })
})
