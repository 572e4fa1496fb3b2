import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { DAY } from '#contract/durations.ts'
import { routes } from '#contract/routes.ts'
import { buildStaff, TEST_PASSWORD } from '#server/testing/factories.ts'
import { createHeldWork } from '#server/testing/held-work.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { watchStatements } from '#server/testing/watch-statements.ts'
import { deleteUnusedAddresses } from './auth.repository.ts'
import { HASHES_AT_ONCE, HASHES_WAITING, hashing } from './password.ts'

/** Requests set their address in X-Forwarded-For, as a proxy does. */
const test = useTestApp({ TRUST_PROXY: '1' })

const OFFICE = '198.51.100.1'
const HOME = '203.0.113.1'

const signIn = (address: string, email: string, password = TEST_PASSWORD) =>
  test.request(routes.auth.login, { body: { email, password }, headers: { 'x-forwarded-for': address } })

/** Sends wrong passwords and counts the statuses. Expects every 429 to say when to try again. */
async function guess(addresses: readonly string[], emails: readonly string[], times = 1) {
  const statuses: Record<number, number> = {}
  for (let time = 0; time < times; time++) {
    for (const address of addresses) {
      for (const email of emails) {
        const { status, headers, body } = await signIn(address, email, 'wrong password')
        statuses[status] = (statuses[status] ?? 0) + 1
        if (status !== 429) continue
        expect(Number(headers['retry-after'])).toBeGreaterThan(0)
        expect(body.message).toMatch(/ in \d+ minutes?\.$/)
      }
    }
  }
  return statuses
}

/** Counts as many wrong passwords as `guess` would, without the time it takes to hash them. */
async function countGuesses(addresses: readonly string[], emails: readonly string[], times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    for (const address of addresses) {
      for (const email of emails) await test.context.loginLimit.count(address, email, async () => false)
    }
  }
}

const toEmails = (count: number) => Array.from({ length: count }, (_, i) => `nobody${i}@example.com`)
const toAddresses = (count: number) => Array.from({ length: count }, (_, i) => `192.0.2.${i + 1}`)

describe('right passwords', () => {
  it('are never counted, not even for a blocked account', async () => {
    const { email } = await buildStaff(test.db)
    const blocked = await buildStaff(test.db, { is_blocked: true })
    for (let attempt = 0; attempt < 12; attempt++) {
      expect((await signIn(OFFICE, email)).status).toBe(200)
      expect((await signIn(OFFICE, blocked.email)).status).toBe(403)
    }
    const { rows } = await sql`select * from login_attempts where points > 0`.execute(test.db)
    expect(rows).toEqual([])
  })

  it('all succeed when more of them arrive at once than the limit for wrong ones', async () => {
    const { email } = await buildStaff(test.db)
    const responses = await Promise.all(Array.from({ length: 30 }, () => signIn(HOME, email)))
    expect(responses.map(({ status }) => status)).toEqual(Array(30).fill(200))
  })
})

describe('an unknown email address', () => {
  const statementsOf = async (work: () => Promise<unknown>) => {
    const texts: string[] = []
    const watch = watchStatements(({ text }) => void texts.push(text))
    await work()
    watch.stop()
    return texts
  }
  /** With the expected status while the hash queue is full: 503 where a password would be hashed. */
  const situations: [string, number, () => Promise<void>][] = [
    ['within all limits', 503, async () => undefined],
    ['from an address that is used up', 503, () => countGuesses([OFFICE], toEmails(100))],
    [
      'at an account that is used up',
      429,
      () => countGuesses(toAddresses(25), ['lerato@example.com', 'unknown@example.com'], 2),
    ],
  ]

  it.each(situations)(
    'causes the same queries and gets the same response as a wrong password, %s',
    async (_, unhashed, prepare) => {
      await buildStaff(test.db, { email: 'lerato@example.com' })
      await prepare()
      const attempt = (email: string) => signIn(OFFICE, email, 'wrong password')
      const statements = await statementsOf(() => attempt('lerato@example.com'))
      expect(statements.length).toBeGreaterThan(2)
      expect(await statementsOf(() => attempt('unknown@example.com'))).toEqual(statements)
      const known = await attempt('lerato@example.com')
      const unknown = await attempt('unknown@example.com')
      expect([unknown.status, unknown.body.message]).toEqual([known.status, known.body.message])
      const held = createHeldWork()
      const all = Array.from({ length: HASHES_AT_ONCE + HASHES_WAITING }, () => hashing(held.work))
      const hashed = await attempt('lerato@example.com')
      const alsoHashed = await attempt('unknown@example.com')
      held.release()
      await Promise.all(all)
      expect([hashed.status, alsoHashed.status]).toEqual([unhashed, unhashed])
    },
  )
})

describe('the limit of 10 per address and account', () => {
  it.each(['lerato@example.com', 'nobody@example.com'])('refuses %s from this address only', async (email) => {
    await buildStaff(test.db, { email: 'lerato@example.com' })
    expect(await guess([OFFICE], [email], 12)).toEqual({ 401: 10, 429: 2 })
    const refused = await signIn(OFFICE, email)
    expect(refused.body).toMatchObject({
      code: 'too_many_requests',
      message: 'Too many attempts to sign in. Try again in 15 minutes.',
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
    expect(await guess([HOME], [email])).toEqual({ 401: 1 })
  })

  it('treats the addresses of an IPv6 network as one', async () => {
    const network = Array.from({ length: 12 }, (_, i) => `2001:db8:1:2::${i + 1}`)
    expect(await guess(network, ['lerato@example.com'])).toEqual({ 401: 10, 429: 2 })
    expect(await guess(['2001:db8:1:3::1'], ['lerato@example.com'])).toEqual({ 401: 1 })
  })
})

describe('the limit of 100 per address', () => {
  it('refuses further wrong passwords for every account', async () => {
    await countGuesses([OFFICE], toEmails(95))
    expect(await guess([OFFICE], toEmails(120).slice(95))).toEqual({ 401: 5, 429: 20 })
    expect(await guess([HOME], toEmails(1))).toEqual({ 401: 1 })
  })

  it('still lets colleagues at that address sign in after a mistake, whether known there or new', async () => {
    const known = await buildStaff(test.db)
    const first = await buildStaff(test.db)
    expect((await signIn(OFFICE, known.email)).status).toBe(200)
    await countGuesses([OFFICE], toEmails(20), 10)
    expect(await guess([OFFICE], ['someone@example.com'])).toEqual({ 429: 1 })
    for (const { email } of [known, first]) {
      const mistyped = await signIn(OFFICE, email, 'wrong password')
      expect(mistyped.status).toBe(429)
      expect(mistyped.body.message).toMatch(
        /^Too many wrong passwords were entered from your network\. Check yours, or try again in \d+ minutes\.$/,
      )
      expect((await signIn(OFFICE, email)).status).toBe(200)
    }
  })

  it('then checks three more passwords per account, or ten for an account known at that address', async () => {
    const known = await buildStaff(test.db)
    const other = await buildStaff(test.db)
    expect((await signIn(OFFICE, known.email)).status).toBe(200)
    await countGuesses([OFFICE], toEmails(100))
    expect(await guess([OFFICE], [known.email, other.email, 'nobody@example.com'], 3)).toEqual({ 429: 9 })
    const refused = await signIn(OFFICE, other.email)
    const unknown = await signIn(OFFICE, 'nobody@example.com')
    expect([refused.status, unknown.status]).toEqual([429, 429])
    expect(unknown.body.message).toBe(refused.body.message)
    expect((await signIn(OFFICE, known.email)).status).toBe(200)
    expect(await guess([OFFICE], [known.email], 10)).toEqual({ 429: 10 })
    expect((await signIn(OFFICE, known.email)).status).toBe(429)
  })
})

describe('the limit of 50 per account', () => {
  it.each(['lerato@example.com', 'nobody@example.com'])(
    'stops three guesses from each of 50 addresses for %s',
    async (email) => {
      await buildStaff(test.db, { email: 'lerato@example.com' })
      await countGuesses(toAddresses(45), [email])
      expect(await guess(toAddresses(50), [email], 3)).toEqual({ 401: 5, 429: 145 })
      const refused = await signIn(HOME, email)
      expect(refused.status).toBe(429)
      expect(refused.body.message).toMatch(/^Too many attempts to sign in\. Try again in \d+ minutes\.$/)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    },
  )

  it('counts guesses that arrive together from many addresses', async () => {
    const { email } = await buildStaff(test.db)
    const responses = await Promise.all(toAddresses(70).map((address) => signIn(address, email, 'wrong password')))
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(50)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(20)
  })

  it('lets the owner in from an address used within 30 days, and limits guesses there too', async () => {
    const { email } = await buildStaff(test.db)
    const other = await buildStaff(test.db)
    expect((await signIn(HOME, email)).status).toBe(200)
    expect((await signIn(OFFICE, other.email)).status).toBe(200)
    test.clock.set(new Date(test.clock.now().getTime() + 30 * DAY - 1000))
    await countGuesses(toAddresses(25), [email], 2)
    expect((await signIn(OFFICE, email)).status).toBe(429)
    expect((await signIn(HOME, email, 'wrong password')).status).toBe(401)
    expect((await signIn(HOME, email)).status).toBe(200)
    expect(await guess([HOME], [email], 11)).toEqual({ 401: 10, 429: 1 })
  })

  it('forgets an address after 30 days without a sign-in', async () => {
    const { email } = await buildStaff(test.db)
    expect((await signIn(HOME, email)).status).toBe(200)
    test.clock.set(new Date(test.clock.now().getTime() + 30 * DAY))
    await countGuesses(toAddresses(25), [email], 2)
    expect((await signIn(HOME, email)).status).toBe(429)
    // The last address stays, to distinguish the member from one who has never signed in.
    expect(await deleteUnusedAddresses(test.db, test.clock.now())).toBe(0)
  })

  it('stores addresses only as hashes, different ones for each account', async () => {
    for (const { email } of [await buildStaff(test.db), await buildStaff(test.db)]) {
      expect((await signIn(HOME, email)).status).toBe(200)
      expect((await signIn(HOME, email, 'wrong password')).status).toBe(401)
    }
    const known = await test.db.selectFrom('sign_in_addresses').selectAll().execute()
    const hashes = known.map(({ address_hash }) => address_hash.toString('hex'))
    // Of the network and of the device.
    expect(new Set(hashes).size).toBe(4)
    expect(hashes.every((hash) => hash.length === 64)).toBe(true)
    const { rows } = await sql<{ key: string }>`select key from login_attempts`.execute(test.db)
    expect(rows).toHaveLength(5)
    expect(JSON.stringify(rows)).not.toMatch(/203\.0|example\.com/)
  })
})
