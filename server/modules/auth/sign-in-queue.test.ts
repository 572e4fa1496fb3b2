import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { buildStaff, TEST_PASSWORD } from '#server/testing/factories.ts'
import { createHeldWork } from '#server/testing/held-work.ts'
import { type TestResponse, useTestApp } from '#server/testing/test-app.ts'
import { HASHES_AT_ONCE, HASHES_WAITING, hashing, hashPassword, isPasswordOf } from './password.ts'

const test = useTestApp({ TRUST_PROXY: '1' })

const PLACES_OF_ADDRESS = 50
const FLOODING = ['203.0.113.1', '203.0.113.2']
const ELSEWHERE = '198.51.100.1'

let finish: (() => Promise<void>) | undefined
afterEach(async () => {
  await finish?.()
  finish = undefined
})

/** Occupies places until `finish`, as running or waiting sign-ins and hashes do. */
function hold(count: number, take: (work: () => Promise<void>) => Promise<void>) {
  const held = createHeldWork()
  const taken = Promise.all(Array.from({ length: count }, () => take(held.work)))
  finish = async () => {
    held.release()
    await taken
  }
}

const floodFrom = (address: string) => (work: () => Promise<void>) => test.context.signInQueue(address, work)

const signIn = (address: string, email: string) =>
  test.request(routes.auth.login, {
    body: { email, password: TEST_PASSWORD },
    headers: { 'x-forwarded-for': address },
  })

function expectRefused({ status, body, headers }: TestResponse) {
  expect([status, body.code, headers['retry-after']]).toEqual([503, 'overloaded', '2'])
}

it('refuses a flooding address before any query, and lets other addresses wait their turn', async () => {
  const { email } = await buildStaff(test.db)
  hold(PLACES_OF_ADDRESS, floodFrom('203.0.113.1'))
  expectRefused(await signIn('203.0.113.1', email))
  expect((await sql`select * from login_attempts`.execute(test.db)).rows).toEqual([])
  const other = signIn(ELSEWHERE, email)
  await finish?.()
  expect((await other).status).toBe(200)
  expect((await signIn('203.0.113.1', email)).status).toBe(200)
})

it('refuses every sign-in while a flood has taken all places, but serves people who are signed in', async () => {
  const staff = await test.signIn()
  let next = 0
  hold(2 * PLACES_OF_ADDRESS, (work) => floodFrom(FLOODING[next++ % 2] ?? '')(work))
  expectRefused(await signIn(ELSEWHERE, staff.email))
  expect((await test.request(routes.staff.list, { token: staff.token })).status).toBe(200)
  await finish?.()
  expect((await signIn(ELSEWHERE, staff.email)).status).toBe(200)
})

it('refuses to hash or compare passwords while the hash queue is full', async () => {
  const storedHash = await hashPassword(TEST_PASSWORD)
  const staff = await test.signIn()
  const body = {
    firstname: 'Lerato',
    lastname: 'Mokoena',
    email: 'lerato@example.com',
    phoneNumber: '+27 21 555 0100',
    password: TEST_PASSWORD,
    role: 'Operations',
    auth_page: [1],
  }
  const register = () => test.request(routes.staff.create, { token: staff.token, body })
  hold(HASHES_AT_ONCE + HASHES_WAITING, hashing)
  await expect(hashPassword('any')).rejects.toMatchObject({ code: 'overloaded' })
  await expect(isPasswordOf(storedHash, TEST_PASSWORD)).rejects.toMatchObject({ code: 'overloaded' })
  expectRefused(await register())
  expectRefused(await signIn(ELSEWHERE, staff.email))
  await finish?.()
  expect((await register()).status).toBe(201)
  expect((await signIn(ELSEWHERE, 'lerato@example.com')).status).toBe(200)
})
