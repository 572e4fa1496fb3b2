import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { TEST_PASSWORD } from '#server/testing/factories.ts'
import { allEndpoints } from '#server/testing/sound-requests.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { createKeyLimit, isLimited } from './request-limit.ts'
import { createSharedCounts } from './shared-counts.ts'

const test = useTestApp({ STAFF_CHANGES: '3' })

describe('more changes by one person than the limit per minute', () => {
  const change = (token: string) =>
    test.request(routes.features.create, { token, body: { name: randomUUID(), icon: 'wifi', order: -1 } })

  it('get 429 with a time to retry, in all sessions of this person and for nobody else', async () => {
    const [me, colleague] = [await test.signIn(), await test.signIn()]
    for (let count = 0; count < 3; count++) expect((await change(me.token)).status).toBe(201)
    const refused = await change(me.token)
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50)
    expect(refused.body.message).toMatch(/^One person may make 3 changes and files a minute\. Try again in \d+ s\.$/)
    const signedIn = await test.request(routes.auth.login, { body: { email: me.email, password: TEST_PASSWORD } })
    expect((await change(signedIn.body.token)).status).toBe(429)
    expect((await test.request(routes.bookings.export, { token: me.token })).status).toBe(429)
    expect((await change(colleague.token)).status).toBe(201)
  })

  it('do not block requests that only read, including previews', async () => {
    const { token } = await test.signIn()
    for (let count = 0; count < 5; count++) {
      expect((await test.request(routes.features.list, { token })).status).toBe(200)
      const body = { id: '00000000-0000-0000-0000-000000000000', auth_page: 2 }
      expect((await test.request(routes.auth.verifyPage, { token, body })).status).not.toBe(429)
    }
    const free = allEndpoints.filter(({ endpoint }) => endpoint.access !== 'public' && !isLimited(endpoint))
    expect(free.filter(({ endpoint }) => endpoint.method !== 'GET').map(({ name }) => name)).toEqual([
      'auth.verifyPage',
      'bookingActions.previewMove',
      'closures.preview',
      'series.preview',
      'series.previewUpdate',
      'messages.preview',
    ])
  })
})

describe('the limit of several servers', () => {
  const PER_MINUTE = 200

  it('is one: each adds to the count of all whenever it has counted a hundredth of the limit', async () => {
    const id = randomUUID()
    const servers = [1, 2, 3].map(() => createKeyLimit(test.database.pool, PER_MINUTE))
    let allowed = 0
    for (let count = 0; count < PER_MINUTE; count++) {
      for (const limit of servers) {
        await limit(id).then(
          () => allowed++,
          (error: unknown) => expect(error).toMatchObject({ code: 'too_many_requests' }),
        )
      }
    }
    expect(allowed).toBeGreaterThanOrEqual(PER_MINUTE)
    expect(allowed).toBeLessThanOrEqual(PER_MINUTE * 1.03)
    const another = createKeyLimit(test.database.pool, PER_MINUTE)
    await another(id)
    await expect(another(id)).rejects.toMatchObject({ code: 'too_many_requests' })
    await another(randomUUID())
  })

  it('is each server’s own while the database cannot be written', async () => {
    const pool = { query: () => Promise.reject(new Error('could not extend file: No space left on device')) }
    const limit = createKeyLimit(pool as unknown as typeof test.database.pool, 2)
    const id = randomUUID()
    await limit(id)
    await limit(id)
    await expect(limit(id)).rejects.toMatchObject({ code: 'too_many_requests' })
  })

  it('is exact when it is small, also for simultaneous requests', async () => {
    const [here, there] = [createKeyLimit(test.database.pool, 5), createKeyLimit(test.database.pool, 5)]
    const id = randomUUID()
    const requests = Array.from({ length: 10 }, (_, index) => (index % 2 ? here : there)(id))
    const outcomes = await Promise.allSettled(requests)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })
})

describe('a count that all servers share', () => {
  const MINUTE = 60_000
  const countAt = async (id: string, time: number) => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(time)
    onTestFinished(() => clock.mockRestore())
    const { consumedPoints, msBeforeNext } = await createSharedCounts(test.database.pool, 60).penalty(id)
    return [consumedPoints, msBeforeNext]
  }

  it('begins again when the clock is set back by an hour, and not when clocks differ a little', async () => {
    const [id, now] = [randomUUID(), Date.now()]
    expect(await countAt(id, now + 60 * MINUTE)).toEqual([1, MINUTE])
    expect(await countAt(id, now + 60 * MINUTE)).toEqual([2, MINUTE])
    expect(await countAt(id, now)).toEqual([1, MINUTE])
    expect(await countAt(id, now - 10_000)).toEqual([2, MINUTE + 10_000])
  })
})
