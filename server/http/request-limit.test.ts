import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { TEST_PASSWORD } from '#server/testing/factories.ts'
import { allEndpoints } from '#server/testing/sound-requests.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { isLimited } from './request-limit.ts'

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
