import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { UserListQuery } from '#contract/users.ts'
import { createId } from '#server/ids.ts'
import { listUsers, searchedUsers } from '#server/modules/users/users.repository.ts'
import { buildUser } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { hasWord, startsShortWord } from './has-word.ts'

const test = useTestApp()

describe('one or two letters', () => {
  it('begin a word by the index just where they do in the text', async () => {
    const letters = fc.constantFrom(...Array.from('aAbBcCoÉéß019 \n.@_-+%\\\'"ıİK'))
    const texts = fc.array(fc.string({ unit: letters, maxLength: 12 }), { minLength: 20, maxLength: 20 })
    const word = fc.string({ unit: fc.constantFrom(...Array.from('abcoABCO019')), minLength: 1, maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(texts, word, async (texts, word) => {
        const indexed = { text: sql`text`, wordStarts: sql`word_starts(text)` }
        const { rows } = await sql<{ text: string }>`
          select text, ${hasWord(indexed.text, word)} as looked, coalesce(${startsShortWord(indexed, word)}, false) as found
            from unnest(${texts}::text[]) as text
           where ${hasWord(indexed.text, word)} <> coalesce(${startsShortWord(indexed, word)}, false)`.execute(test.db)
        expect(rows).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('of a customer are looked up in the index that is there for them', async () => {
    const plan = await test.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      return sql<{ 'QUERY PLAN': string }>`
        explain select from users where ${startsShortWord(searchedUsers, 'co')}`.execute(tx)
    })
    expect(plan.rows.map((row) => row['QUERY PLAN']).join()).toContain('users_word_starts_idx')
  })

  it('are not found within an address or a number', async () => {
    await buildUser(test.db, {
      firstname: 'Zanele',
      lastname: 'Dube',
      email: 'zd@mail.co.za',
      mobile: '+27 82 555 0100',
    })
    const count = async (search: string) =>
      (await listUsers(test.db, UserListQuery.parse({ search, page: '1' }))).rows.length
    expect(await count('co')).toBe(0)
    expect(await count('27')).toBe(0)
    expect(await count('82')).toBe(1)
    expect(await count('d z')).toBe(1)
    expect(await count('d x')).toBe(0)
  })
})

/** A common text is met by going through the list, a rare one is gathered by an index first: both find the same. */
describe('customers of whom many match', () => {
  async function fill(matching: number) {
    const people = Array.from({ length: 120 }, (_, n) => {
      const isMatch = n < matching
      return {
        id: createId(),
        firstname: isMatch ? 'Corné' : 'Thabo',
        lastname: `Person ${String(n).padStart(3, '0')}`,
        email: `person${n}@mail.co.za`,
        mobile: '082',
        role: 'Customer',
        username: `p${n}`,
        is_blocked: n % 2 === 0,
        created_at: new Date(Date.UTC(2026, 0, 1, 0, n)),
      }
    })
    await test.db.insertInto('users').values(people).execute()
    const of = (isListed: (person: (typeof people)[number]) => boolean) =>
      people.filter((person, n) => n < matching && isListed(person)).map(({ lastname }) => lastname)
    return { all: of(() => true), blocked: of((person) => person.is_blocked) }
  }

  const read = async (query: Record<string, string>) => {
    const { rows, total } = await listUsers(test.db, UserListQuery.parse({ page: '1', limit: '100', ...query }))
    expect(total).toBe(rows.length)
    return rows.map(({ lastname }) => lastname)
  }

  it.each([
    ['few', 30],
    ['many', 90],
  ])('%s are found by letters, in every order and status', async (_, matching) => {
    const { all, blocked } = await fill(matching)
    for (const search of ['c', 'CO', 'cor', 'c p', 'corné pers', 'c pers']) {
      expect(await read({ search })).toEqual(all.toReversed())
      expect(await read({ search, sort: 'createdAt' })).toEqual(all)
      expect(await read({ search, sort: 'name' })).toEqual(all)
      expect(await read({ search, sort: '-name' })).toEqual(all.toReversed())
      expect(await read({ search, status: 'blocked', sort: 'name' })).toEqual(blocked)
    }
  })

  it('has every match on one page and on no other', async () => {
    const { all } = await fill(90)
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map((page) =>
        listUsers(test.db, UserListQuery.parse({ search: 'c', page: String(page), limit: '20' })),
      ),
    )
    expect(pages.flatMap(({ rows }) => rows.map(({ lastname }) => lastname))).toEqual(all.toReversed())
    expect(pages.map(({ total }) => total)).toEqual([90, 90, 90, 90, 90])
  })
})
