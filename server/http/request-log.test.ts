import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { buildStaff } from '#server/testing/factories.ts'
import { connectClient } from '#server/testing/leaving-client.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { serializers } from './logger.ts'

type Line = {
  level: number
  time: number
  msg: string
  actorId?: string
  reqId?: string
  req?: { method: string; url: string; remoteAddress: string }
  responseTime?: number
}

const lines: Line[] = []
const texts: string[] = []
const logger = pino(
  { level: 'info', serializers },
  {
    write: (text: string) => {
      texts.push(text)
      lines.push(JSON.parse(text))
    },
  },
)
const test = useTestApp({ API_KEY_REQUESTS: '1' }, { poolSize: 1, logger })
afterEach(() => {
  lines.length = 0
  texts.length = 0
})

const ofRequest = (id: string) => lines.filter(({ reqId }) => reqId === id)
const toTexts = (id: string) => ofRequest(id).map(({ msg }) => msg)

it('logs a request when it arrives and when its response is sent', async () => {
  await test.request(routes.auth.login, { body: {}, headers: { 'x-request-id': 'answered-1' } })
  expect(toTexts('answered-1')).toEqual(['incoming request', 'request completed'])
})

it.each([
  ['reading', 'GET /api/product/getall?search=x', ''],
  ['writing', 'POST /api/transactions/ManageRates', '{"rate":1}'],
  ['listing', 'GET /api/user/all-bookings', ''],
])('logs that the client left while %s', async (name, line, body) => {
  const id = `given-up-${name}`
  const { token } = await test.signIn()
  const connection = await test.database.pool.connect()
  const client = await connectClient(test)
  client.send(
    `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nX-Request-Id: ${id}\r\n`,
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await expect.poll(() => test.context.databaseLoad().waiting).toBeGreaterThan(0)
  await client.leave()
  connection.release()
  const [method, path] = line.split(/[ ?]/)
  await expect.poll(() => toTexts(id)).toEqual(['incoming request', 'client left'])
  expect(ofRequest(id)[1]).toMatchObject({ level: 30, req: { method }, responseTime: expect.any(Number) })
  expect(ofRequest(id)[1]?.req?.url).toContain(path?.replace('/api', ''))
})

/** Returns an API key that has sent its one request of this minute. */
async function issueUsedKey() {
  const key = await test.issueKey([8])
  await test.request(routes.staff.list, { token: key.token })
  return key
}

it.each([
  ['without a session', 401, 'not_signed_in', async () => undefined],
  ['without the page', 403, 'page_required', () => test.signIn([2])],
  ['with an API key where a person is due', 403, 'people_only', () => test.issueKey([8])],
  ['after too many', 429, 'too_many_requests', issueUsedKey],
])('logs the person, time, address and error of a request denied %s', async (_, status, code, findAsker) => {
  const asker = await findAsker()
  const route = code === 'people_only' ? routes.account.get : routes.staff.list
  const id = `denied-${code}`
  const response = await test.request(route, { token: asker?.token, headers: { 'x-request-id': id } })
  expect(response.status).toBe(status)
  expect(toTexts(id)).toEqual(['incoming request', 'request denied', 'request completed'])
  const [came, denied] = ofRequest(id)
  expect(came).toMatchObject({ req: { method: 'GET', remoteAddress: '127.0.0.1' }, time: expect.any(Number) })
  expect(denied).toMatchObject({ level: 30, code })
  expect(denied?.actorId).toBe(asker?._id)
})

it('escapes control characters in requests, so that no request can forge log lines', async () => {
  const forged = '\n{"level":30,"msg":"request completed","reqId":"forged-0001"}\n\u001b[2J'
  await test.app.inject({
    url: `/api/pods/${encodeURIComponent(forged)}?x=${encodeURIComponent(forged)}`,
    headers: { 'x-request-id': 'forged-0001 \t "level":60', 'user-agent': 'x\u009b2J' },
  })
  await test.request(routes.auth.login, { body: { email: `a@example.com${forged}`, password: forged } })
  expect(texts.length).toBeGreaterThanOrEqual(4)
  for (const text of texts) expect(text).toMatch(/^\{[^\p{Cc}]*\}\n$/u)
  expect(ofRequest('forged-0001')).toEqual([])
})

it('logs why the database refused a row, and nothing of the row', async () => {
  const refused = buildStaff(test.db, { email: 'thandi@example.com', pages: [1], view_only_pages: [2] })
  await refused.catch((err: unknown) => logger.error({ err }, 'request failed'))
  const [text] = texts
  expect(text).toContain('staff_view_only_pages_held')
  expect(text).not.toMatch(/thandi@example|argon2/)
})

it.each([null, 'away', { reason: 'away' }])('logs %j, which is no error', (err) => {
  logger.error({ err }, 'request failed')
  expect(lines).toMatchObject([{ msg: 'request failed' }])
})
