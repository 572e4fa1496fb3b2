import { pino } from 'pino'
import { afterEach, expect, it, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { connectClient } from '#server/testing/leaving-client.ts'
import { useTestApp } from '#server/testing/test-app.ts'

type Line = { level: number; msg: string; reqId?: string; req?: { method: string; url: string }; responseTime?: number }

const lines: Line[] = []
const logger = pino({ level: 'info' }, { write: (text: string) => lines.push(JSON.parse(text)) })
const test = useTestApp({}, { poolSize: 1, logger })
afterEach(() => {
  lines.length = 0
})

const ofRequest = (id: string) => lines.filter(({ reqId }) => reqId === id)
const toTexts = (id: string) => ofRequest(id).map(({ msg }) => msg)

it('says of an answered call when it came and when it was answered', async () => {
  await test.request(routes.auth.login, { body: {}, headers: { 'x-request-id': 'answered-1' } })
  expect(toTexts('answered-1')).toEqual(['incoming request', 'request completed'])
})

it.each([
  ['reading', 'GET /api/product/getall?search=x', ''],
  ['writing', 'POST /api/transactions/ManageRates', '{"rate":1}'],
  ['listing', 'GET /api/user/all-bookings', ''],
])('says that the client left while %s', async (name, line, body) => {
  const id = `given-up-${name}`
  const { token } = await test.signIn()
  const connection = await test.database.pool.connect()
  const client = await connectClient(test)
  client.send(
    `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nX-Request-Id: ${id}\r\n`,
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await vi.waitFor(() => expect(test.context.databaseLoad().waiting).toBeGreaterThan(0))
  await client.leave()
  connection.release()
  const [method, path] = line.split(/[ ?]/)
  await vi.waitFor(() => expect(toTexts(id)).toEqual(['incoming request', 'client left']))
  expect(ofRequest(id)[1]).toMatchObject({ level: 30, req: { method }, responseTime: expect.any(Number) })
  expect(ofRequest(id)[1]?.req?.url).toContain(path?.replace('/api', ''))
})
