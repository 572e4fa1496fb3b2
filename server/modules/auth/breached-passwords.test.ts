import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { requireNoTransaction } from '#server/db/transaction.ts'
import { createFirstStaff } from '#server/start/first-staff.ts'
import { buildStaff, TEST_PASSWORD } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { createBreachCheck } from './breached-passwords.ts'
import { createPasswordLink } from './create-password-link.ts'

const BREACHED = 'tangerine afternoon'
const OTHER = 'otter lamp 2026 quiet'
const message = 'Password is known from a data breach, so it would be guessed. Choose another one'

const toHash = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()
const toRange = (password: string) => `/range/${toHash(password).slice(0, 5)}`

/** Responds like the range API: suffix and count of each breached password, with padding of count 0. */
const asService: RequestListener = (request, response) => {
  const padding = `${toHash(OTHER).slice(5)}:0\r\n${'0'.repeat(35)}:3`
  const isRange = request.url?.startsWith(toRange(BREACHED))
  response.end(isRange ? `${padding}\r\n${toHash(BREACHED).slice(5)}:42` : padding)
}

const requests: { url: string | undefined; padding: unknown }[] = []
let respond = asService
const service = createServer((request, response) => {
  requests.push({ url: request.url, padding: request.headers['add-padding'] })
  respond(request, response)
})
await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}` // listening on TCP

beforeEach(() => {
  requests.length = 0
  respond = asService
})
afterAll(() => {
  service.closeAllConnections()
  service.close()
})

describe('a password that is known from a data breach', () => {
  const test = useTestApp({ BREACHED_PASSWORDS_URL: url })
  const { changePassword, usePasswordLink } = routes.auth
  const { create, update } = routes.staff

  const ways: Record<string, (password: string) => Promise<{ status: number; body: unknown }>> = {
    'of one’s own': async (newPassword) => {
      const { token } = await test.signIn([])
      return test.request(changePassword, { token, body: { currentPassword: TEST_PASSWORD, newPassword } })
    },
    'by a link': async (newPassword) => {
      const link = await createPasswordLink(test.context, test.db, (await buildStaff(test.db)).id)
      return test.request(usePasswordLink, { body: { token: link.split('#')[1], newPassword } })
    },
    'of a new colleague': async (password) => {
      const { token } = await test.signIn()
      return test.request(create, {
        token,
        body: { firstname: 'Lerato', email: 'l@example.com', auth_page: [1], password },
      })
    },
    'of a colleague': async (password) => {
      const { token } = await test.signIn()
      const { id } = await buildStaff(test.db)
      return test.request(update, { token, params: { id }, body: { password } })
    },
  }
  it.each(Object.entries(ways))('is refused at its field: %s', async (way, send) => {
    const refused = await send(BREACHED)
    const path = ['of one’s own', 'by a link'].includes(way) ? 'newPassword' : 'password'
    expect(refused).toMatchObject({
      status: 400,
      body: { message, code: 'invalid_input', errors: [{ path, message }] },
    })
    expect((await send(OTHER)).status).toBeLessThan(300)
    expect(requests.map((request) => request.url?.split('?')[0])).toEqual([toRange(BREACHED), toRange(OTHER)])
  })

  it.each([
    ['of a new colleague', create, () => ({ body: { firstname: 'Lerato', email: 'l@example.com', auth_page: [1] } })],
    ['of a colleague', update, async () => ({ params: { id: (await buildStaff(test.db)).id }, body: {} })],
  ] as const)('is looked up before the change begins, whose transaction would wait: %s', async (_, route, build) => {
    const isBreached = vi.spyOn(test.context, 'isBreached').mockImplementation(async () => {
      requireNoTransaction()
      return false
    })
    onTestFinished(() => isBreached.mockRestore())
    const { token } = await test.signIn()
    const { body, ...call } = await build()
    const headers = { 'if-match': '*', 'idempotency-key': 'key' }
    const changed = await test.request(route, { ...call, token, headers, body: { ...body, password: OTHER } })
    expect([changed.status < 300, isBreached.mock.calls.length]).toEqual([true, 1])
  })

  it('is refused as the first password of all', async () => {
    const create = (adminPassword: string) => createFirstStaff(test.db, { ...test.context.config, adminPassword })
    await expect(create(BREACHED)).rejects.toThrow('ADMIN_PASSWORD is known from a data breach')
    expect((await create(OTHER))?.password).toBe(OTHER)
  })

  it('is not looked up for whoever does not know the current password', async () => {
    const { token } = await test.signIn([])
    const body = { currentPassword: 'a wrong one', newPassword: BREACHED }
    expect((await test.request(changePassword, { token, body })).body.errors[0].path).toBe('currentPassword')
    expect(requests).toEqual([])
  })
})

describe('looking a password up', () => {
  it('sends five digits of its hash, and asks for padding', async () => {
    expect(await createBreachCheck(url)(BREACHED)).toBe(true)
    expect(requests).toEqual([{ url: `${toRange(BREACHED)}?mode=sha1`, padding: 'true' }])
  })

  const failures: Record<string, RequestListener> = {
    'responds with an error': (_, response) => response.writeHead(503).end(),
    'closes the connection': (request) => request.socket.destroy(),
    'does not respond': () => undefined,
  }
  it.each(Object.entries(failures))('accepts it, and logs why, when the service %s', async (_, fail) => {
    respond = fail
    const warn = vi.fn<(details: object, message: string) => void>()
    expect(await createBreachCheck(url, { warn })(BREACHED)).toBe(false)
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      { err: expect.any(Error) },
      'a new password was not looked up among breached ones',
    )
    expect(inspect(warn.mock.calls, { depth: 9 })).not.toContain(toHash(BREACHED).slice(0, 5))
  })
})
