import dns from 'node:dns'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import type { Delivery } from '#contract/webhooks.ts'
import { startJobs } from '#server/jobs/jobs.ts'
import { createSecretBox } from '#server/secrets.ts'
import { changeSecretKey } from '#server/start/secret-key.ts'
import { buildFeature, buildPod, buildUser } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { isPublicAddress } from './post-json.ts'

type Call = { path: string; body: string; headers: Record<string, string> }

/** The requests that the receiver has got. */
const calls: Call[] = []
const answer = { status: 200, headers: {} as Record<string, string>, text: 'thank you', after: Promise.resolve() }
const receiver = createServer((request, response) => {
  void text(request).then(async (body) => {
    calls.push({ path: request.url ?? '', body, headers: request.headers as Record<string, string> })
    await answer.after
    response.writeHead(answer.status, answer.headers).end(answer.text)
  })
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const { port } = receiver.address() as AddressInfo // listening on TCP
const URL_HERE = `http://127.0.0.1:${port}/hook`
afterAll(() => {
  receiver.close()
})
beforeEach(() => {
  calls.length = 0
  Object.assign(answer, { status: 200, headers: {}, text: 'thank you', after: Promise.resolve() })
})

type Tell = (error: null, addresses: { address: string; family: number }[]) => void

type TestApp = ReturnType<typeof useTestApp>

const seen = (version: number) => ({ 'if-match': `"${version}"` })

async function runJobs(test: Pick<TestApp, 'context' | 'database'>): Promise<void> {
  const log = { info: () => undefined, error: () => undefined }
  onTestFinished(await startJobs(test.context, log, test.database.notifications))
}

async function addWebhook(test: TestApp, token: string, events: string[], url = URL_HERE) {
  const response = await test.request(routes.webhooks.create, { token, body: { url, events } })
  expect(response.status).toBe(201)
  return response.body as { _id: string; secret: string }
}

const addFeature = (test: TestApp, token: string, name = 'Wi-Fi') =>
  test.request(routes.features.create, { token, body: { name, icon: 'wifi' } })

async function listDeliveries(test: TestApp, token: string, query: Record<string, string> = {}) {
  const response = await test.request(routes.deliveries.list, { token, query })
  expect(response.status).toBe(200)
  return response.body as Delivery[]
}

describe('webhooks', () => {
  const test = useTestApp({ WEBHOOK_PRIVATE_ADDRESSES: 'on', SECRET_KEY: 'a key of some length' })

  it('send a signed event for a change, and record the result of the delivery', async () => {
    const { token } = await test.signIn()
    const { secret } = await addWebhook(test, token, ['feature.created'])
    await addFeature(test, token)
    await runJobs(test)
    await expect.poll(() => listDeliveries(test, token)).toMatchObject([{ state: 'sent', tries: 1 }])
    expect(await listDeliveries(test, token)).toMatchObject([{ event: 'feature.created', response: '200 thank you' }])
    expect(calls).toHaveLength(1)
    const [call] = calls
    const told = new Verifier(secret).verify(call?.body ?? '', call?.headers ?? {})
    expect(told).toMatchObject({ type: 'feature.created', data: { version: 1, after: { name: 'Wi-Fi' } } })
    expect(call?.headers['webhook-id']).toBe((await listDeliveries(test, token))[0]?._id)
    const other = new Verifier(`whsec_${Buffer.alloc(32).toString('base64')}`)
    expect(() => other.verify(call?.body ?? '', call?.headers ?? {})).toThrow('No matching signature')
  })

  it('show their secret only once, and store it encrypted', async () => {
    const { token } = await test.signIn()
    const { secret } = await addWebhook(test, token, ['pod.*'])
    expect(secret).toMatch(/^whsec_/)
    expect((await test.request(routes.webhooks.list, { token })).text).not.toContain('secret')
    const stored = await test.db.selectFrom('webhooks').select('secret').executeTakeFirstOrThrow()
    expect(stored.secret).toMatch(/^v2:/)
    expect(test.context.secrets.open(stored.secret)).toBe(secret)
    expect(JSON.stringify(await test.db.selectFrom('audit').selectAll().execute())).not.toContain(secret)
  })

  it('get deliveries of their chosen events only, and none while they are off', async () => {
    const { token } = await test.signIn()
    const { _id } = await addWebhook(test, token, ['feature.blocked', 'pod.*'])
    const feature = await buildFeature(test.db)
    const pod = await buildPod(test.db)
    await addFeature(test, token)
    const block = () => test.request(routes.pods.block, { token, params: { id: pod.id } })
    await test.request(routes.features.block, { token, params: { id: feature.id } })
    await block()
    const events = async () => (await listDeliveries(test, token)).map(({ event }) => event).toSorted()
    expect(await events()).toEqual(['feature.blocked', 'pod.blocked'])
    const { _id: other } = await addWebhook(test, token, ['pod.*'])
    expect(await listDeliveries(test, token, { webhook: _id })).toHaveLength(2)
    for (const none of [{ webhook: other }, { state: 'sent' }])
      expect(await listDeliveries(test, token, none)).toEqual([])
    await test.request(routes.webhooks.delete, { token, params: { id: other }, headers: seen(1) })
    const call = { token, params: { id: _id } }
    const off = await test.request(routes.webhooks.update, { ...call, body: { isEnabled: false }, headers: seen(1) })
    expect(off).toMatchObject({ status: 200, body: { isEnabled: false, version: 2 } })
    await test.request(routes.pods.unblock, { token, params: { id: pod.id } })
    expect(await events()).toHaveLength(2)
    const stale = await test.request(routes.webhooks.update, { ...call, body: { isEnabled: true }, headers: seen(1) })
    expect(stale).toMatchObject({ status: 409, body: { current: { isEnabled: false, version: 2 } } })
  })

  it('disappear with their deliveries when deleted, and come back when that is undone', async () => {
    const { token } = await test.signIn()
    const { _id } = await addWebhook(test, token, ['feature.*'])
    await addFeature(test, token)
    const call = { token, params: { id: _id } }
    expect((await test.request(routes.webhooks.delete, call)).status).toBe(400)
    const { headers } = await test.request(routes.webhooks.delete, { ...call, headers: seen(1) })
    await addFeature(test, token, 'Screen')
    expect(await listDeliveries(test, token)).toEqual([])
    expect((await test.request(routes.webhooks.list, { token })).body).toEqual([])
    const undo = await test.request(routes.audit.undo, { token, params: { id: String(headers['x-undo-id']) } })
    expect(undo.status, undo.text).toBe(200)
    expect((await test.request(routes.webhooks.list, { token })).body).toMatchObject([{ _id, version: 3 }])
    expect(await listDeliveries(test, token)).toMatchObject([{ event: 'feature.created' }])
  })

  it('can have a delivery replayed that was not sent before they were deleted, once that is undone', async () => {
    const { token } = await test.signIn()
    const { _id: id } = await addWebhook(test, token, ['feature.created'])
    await addFeature(test, token)
    const { headers } = await test.request(routes.webhooks.delete, { token, params: { id }, headers: seen(1) })
    await runJobs(test)
    const listOpen = () =>
      test.db.selectFrom('jobs').select('id').where('kind', '=', 'webhook').where('done_at', 'is', null).execute()
    await expect.poll(listOpen).toEqual([])
    await test.request(routes.audit.undo, { token, params: { id: String(headers['x-undo-id']) } })
    const [delivery] = await listDeliveries(test, token)
    expect(delivery).toMatchObject({ state: 'failed', response: 'The webhook was deleted' })
    const replay = { token, params: { id: delivery?._id ?? '' } }
    expect((await test.request(routes.deliveries.replay, replay)).status).toBe(200)
    await expect.poll(() => listDeliveries(test, token)).toMatchObject([{ state: 'sent' }])
  })

  it('send events at once, without waiting for the next check of the jobs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { token } = await test.signIn()
    await addWebhook(test, token, ['feature.*'])
    await runJobs(test)
    await addFeature(test, token)
    await expect.poll(() => calls.length).toBe(1)
    // The check at the start is over, and the fake timers stop the checks that come every few seconds.
    await addFeature(test, token, 'Screen')
    await expect.poll(() => calls.length).toBe(2)
  })

  it('sign with the same secret after a change of SECRET_KEY', async () => {
    const { token } = await test.signIn()
    const { secret } = await addWebhook(test, token, ['feature.*'])
    const secrets = createSecretBox('another key, long enough')
    expect(await changeSecretKey(test.db, { from: test.context.secrets, to: secrets })).toMatchObject({ sealed: 1 })
    await runJobs({ context: { ...test.context, secrets }, database: test.database })
    await addFeature(test, token)
    await expect.poll(() => calls.length).toBe(1)
    expect(() => new Verifier(secret).verify(calls[0]?.body ?? '', calls[0]?.headers ?? {})).not.toThrow()
  })

  it('send nothing for a change that was refused or rolled back', async () => {
    const { token } = await test.signIn()
    await addWebhook(test, token, ['feature.*', 'booking.*'])
    expect((await test.request(routes.features.create, { token, body: { name: '' } })).status).toBe(400)
    const { id } = await buildFeature(test.db)
    const edit = { token, params: { id }, body: { name: 'Screen' }, headers: seen(9) }
    expect((await test.request(routes.features.update, edit)).status).toBe(409)
    const user = await buildUser(test.db, { email: '' })
    const body = {
      podId: (await buildPod(test.db)).id,
      bookingPurpose: 'work',
      bookingDate: '2026-11-23',
      startTime: '2026-11-23T09:00:00.000Z',
      endTime: '2026-11-23T10:00:00.000Z',
      for: { kind: 'customer', userId: user.id },
    }
    // Refused only after the booking was written: there is no address to send its code to.
    const sendCode = await test.request(routes.bookings.createFor, { token, body: { ...body, sendCode: true } })
    expect(sendCode).toMatchObject({ status: 400, body: { errors: [{ path: 'sendCode' }] } })
    const listJobs = () => test.db.selectFrom('jobs').select('id').where('kind', '=', 'webhook').execute()
    expect([await listJobs(), await listDeliveries(test, token)]).toEqual([[], []])
    expect((await test.request(routes.bookings.createFor, { token, body })).status).toBe(201)
    expect(await listJobs()).toHaveLength(1)
  })

  it('send an event again after a failure and on a replay by staff, with the same id each time', async () => {
    answer.status = 500
    const { token } = await test.signIn()
    await addWebhook(test, token, ['feature.*'])
    await addFeature(test, token)
    const [untried] = await listDeliveries(test, token)
    const tooEarly = await test.request(routes.deliveries.replay, { token, params: { id: untried?._id ?? '' } })
    expect(tooEarly).toMatchObject({ status: 409, body: { message: 'This delivery is on its way.' } })
    await runJobs(test)
    await expect.poll(() => listDeliveries(test, token)).toMatchObject([{ state: 'queued', response: '500 thank you' }])
    const readJob = () => test.db.selectFrom('jobs').selectAll().where('kind', '=', 'webhook').executeTakeFirstOrThrow()
    await expect.poll(async () => (await readJob()).lease_id).toBeNull()
    const [waiting] = await listDeliveries(test, token)
    expect(waiting?.nextTryAt).toBe((await readJob()).run_at.toISOString())
    answer.status = 204
    // Staff need not wait for the next try.
    const early = await test.request(routes.deliveries.replay, { token, params: { id: waiting?._id ?? '' } })
    expect(early.status).toBe(200)
    await expect.poll(() => listDeliveries(test, token)).toMatchObject([{ state: 'sent', tries: 2, nextTryAt: null }])
    const [delivery] = await listDeliveries(test, token)
    const replay = await test.request(routes.deliveries.replay, { token, params: { id: delivery?._id ?? '' } })
    expect(replay.status).toBe(200)
    await expect.poll(() => listDeliveries(test, token)).toMatchObject([{ state: 'sent', tries: 3 }])
    const replays = test.db.selectFrom('audit').select('label').where('action', '=', 'retry')
    expect(await replays.execute()).toEqual([{ label: delivery?.event }, { label: delivery?.event }])
    // Its job runs again after a crash in which its end was lost.
    const { id } = await readJob()
    await test.db.updateTable('jobs').set({ done_at: null }).where('id', '=', id).execute()
    await test.database.notifications.notify('jobs')
    const readEnd = () => test.db.selectFrom('jobs').select('done_at').where('id', '=', id).executeTakeFirst()
    await expect.poll(readEnd).toEqual({ done_at: expect.any(Date) })
    expect(calls.map(({ headers }) => headers['webhook-id'])).toEqual(Array(3).fill(delivery?._id))
  })

  it('keep what a receiver says with the delivery alone, as it may repeat what it was told', async () => {
    Object.assign(answer, { status: 500, text: 'Cannot take Thandi Nkosi' })
    const { token } = await test.signIn()
    await addWebhook(test, token, ['feature.*'])
    await addFeature(test, token)
    const error = vi.fn<(details: object) => void>()
    const log = { info: () => undefined, error }
    onTestFinished(await startJobs(test.context, log, test.database.notifications))
    await expect.poll(() => error.mock.calls).toHaveLength(1)
    const message = 'The receiver responded with 500'
    expect(error.mock.calls).toMatchObject([[{ job: 'webhook', err: { message } }, 'job failed']])
    const readError = () => test.db.selectFrom('jobs').select('last_error').where('kind', '=', 'webhook').execute()
    await expect.poll(readError).toEqual([{ last_error: message }])
    expect(await listDeliveries(test, token)).toMatchObject([{ response: '500 Cannot take Thandi Nkosi' }])
  })

  it('keep nothing of what a receiver says of a customer who was erased meanwhile', async () => {
    let respond = () => {}
    const after = new Promise<void>((resolve) => {
      respond = resolve
    })
    Object.assign(answer, { text: 'Has deleted Thandi Nkosi', after })
    const { token } = await test.signIn()
    await addWebhook(test, token, ['customer.deleted'])
    const params = { id: (await buildUser(test.db)).id }
    await runJobs(test)
    expect((await test.request(routes.users.delete, { token, params })).status).toBe(200)
    await expect.poll(() => calls).toHaveLength(1)
    expect((await test.request(routes.users.erase, { token, params })).status).toBe(200)
    respond()
    await expect.poll(() => listDeliveries(test, token)).toMatchObject([{ state: 'sent', response: '200' }])
  })

  it('send nothing while switched off, and say so for a delivery that waits or is replayed', async () => {
    const { token } = await test.signIn()
    const { _id } = await addWebhook(test, token, ['feature.*'])
    const turn = async (isEnabled: boolean, version: number) => {
      const edit = { token, params: { id: _id }, body: { isEnabled }, headers: seen(version) }
      expect((await test.request(routes.webhooks.update, edit)).status).toBe(200)
    }
    await addFeature(test, token)
    await turn(false, 1)
    await runJobs(test)
    const response = 'The webhook is switched off'
    await expect.poll(() => listDeliveries(test, token)).toMatchObject([{ state: 'failed', response }])
    const [delivery] = await listDeliveries(test, token)
    const replay = () => test.request(routes.deliveries.replay, { token, params: { id: delivery?._id ?? '' } })
    expect(await replay()).toMatchObject({ status: 409, body: { message: `${response}. Switch it on first.` } })
    await turn(true, 2)
    expect((await replay()).status).toBe(200)
    await expect.poll(() => listDeliveries(test, token)).toMatchObject([{ state: 'sent', response: '200 thank you' }])
    expect(calls).toHaveLength(1)
    expect((await test.request(routes.failedJobs.list, { token })).body).toEqual([])
  })

  it.each([
    ['one in UTF-16', Buffer.from('thanks', 'utf16le').toString(), 'thanks'],
    ['one that commands a terminal', '\u001B\u009B\u0007\rthanks', 'thanks'],
    ['the beginning of a long one', 'thanks'.repeat(100), 'thanks'.repeat(100).slice(0, 500)],
  ])('take any response, such as %s', async (_, text, shown) => {
    answer.text = text
    const { token } = await test.signIn()
    await addWebhook(test, token, ['feature.*'])
    await addFeature(test, token)
    await runJobs(test)
    await expect.poll(() => listDeliveries(test, token)).toMatchObject([{ state: 'sent', response: `200 ${shown}` }])
    expect(calls).toHaveLength(1)
  })

  it.each([
    ['says nothing', '', 'There was no response within 10 seconds'],
    ['wants another protocol', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', '101'],
  ])('are called again when the receiver %s', async (_, said, response) => {
    const soon = AbortSignal.timeout(1000)
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(soon)
    onTestFinished(() => void vi.restoreAllMocks())
    const other = createTcpServer((socket) => socket.on('error', () => undefined).write(said)).listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { token } = await test.signIn()
    await addWebhook(test, token, ['feature.*'], `http://127.0.0.1:${(other.address() as AddressInfo).port}`) // on TCP
    await addFeature(test, token)
    await runJobs(test)
    await expect.poll(() => listDeliveries(test, token)).toMatchObject([{ state: 'queued', tries: 1, response }])
  })

  it('hold up no others when their receiver does not respond', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(500))
    onTestFinished(() => void vi.restoreAllMocks())
    let isSilent = true
    const other = createServer((_, response) => void (isSilent || response.writeHead(204).end())).listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { token } = await test.signIn()
    await addWebhook(test, token, ['feature.deleted'])
    const otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}` // listening on TCP
    const { _id } = await addWebhook(test, token, ['feature.created'], otherUrl)
    const { id } = await buildFeature(test.db)
    for (let count = 0; count < 20; count += 1) await addFeature(test, token, `Feature ${count}`)
    expect((await test.request(routes.features.delete, { token, params: { id } })).status).toBe(200)
    await runJobs(test)
    await expect.poll(() => calls.map(({ path }) => path)).toEqual(['/hook'])
    const listWaiting = () => listDeliveries(test, token, { webhook: _id, state: 'queued' })
    expect((await listWaiting()).filter(({ tries }) => tries > 0).length).toBeLessThan(8)
    isSilent = false
    vi.restoreAllMocks()
    // A try that began while the receiver was silent may still pause the others.
    const waitAMinute = async () => {
      test.clock.set(new Date(test.clock.now().getTime() + 60_000))
      await test.database.notifications.notify('jobs')
      return listWaiting()
    }
    await expect.poll(waitAMinute).toEqual([])
  })

  it('follow no redirect', async () => {
    Object.assign(answer, { status: 302, headers: { location: `${URL_HERE}/elsewhere` } })
    const { token } = await test.signIn()
    await addWebhook(test, token, ['feature.*'])
    await addFeature(test, token)
    await runJobs(test)
    await expect
      .poll(() => listDeliveries(test, token))
      .toMatchObject([{ state: 'queued', tries: 1, response: '302 thank you' }])
    expect(calls.map(({ path }) => path)).toEqual(['/hook'])
  })

  it.each([
    [{ url: 'ftp://example.com', events: ['pod.*'] }, 'url'],
    [{ url: 'https://example.com', events: [] }, 'events'],
    [{ url: 'https://example.com', events: ['pod.opened'] }, 'events.0'],
  ])('are refused when a field is invalid: %j', async (body, path) => {
    const { token } = await test.signIn()
    const response = await test.request(routes.webhooks.create, { token, body })
    expect(response).toMatchObject({ status: 400, body: { errors: [{ path }] } })
  })
})

describe('webhooks to a private network', () => {
  const test = useTestApp()

  const urls = [URL_HERE, `http://localhost:${port}/hook`, `http://[::ffff:127.0.0.1]:${port}/hook`]
  it.each(urls)('are not called by default: %s', async (url) => {
    const { token } = await test.signIn()
    await addWebhook(test, token, ['feature.*'], url)
    await addFeature(test, token)
    await runJobs(test)
    await expect.poll(() => listDeliveries(test, token)).toMatchObject([{ state: 'failed', tries: 1 }])
    expect((await listDeliveries(test, token))[0]?.response).toContain('private network')
    expect(calls).toEqual([])
  })

  it('are not called where one of several addresses of a name is private', async () => {
    const lookup = vi.spyOn(dns, 'lookup').mockImplementation(((_host: string, _options: object, tell: Tell) =>
      tell(null, [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ])) as typeof dns.lookup)
    syncBuiltinESMExports()
    onTestFinished(() => {
      lookup.mockRestore()
      syncBuiltinESMExports()
    })
    const { token } = await test.signIn()
    await addWebhook(test, token, ['feature.*'], `http://two.example:${port}/hook`)
    await addFeature(test, token)
    await runJobs(test)
    await expect.poll(() => listDeliveries(test, token)).toMatchObject([{ state: 'failed', tries: 1 }])
    expect(lookup).toHaveBeenCalled()
    expect(calls).toEqual([])
  })

  it.each([
    ['93.184.216.34', true],
    ['2606:4700::6810:84e5', true],
    ['10.0.0.1', false],
    ['172.16.0.1', false],
    ['192.168.1.1', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['0.0.0.0', false],
    ['255.255.255.255', false],
    ['::1', false],
    ['::', false],
    ['fd00::1', false],
    ['fe80::1', false],
    ['::ffff:10.0.0.1', false],
    ['64:ff9b::a00:1', false],
    ['::127.0.0.1', false],
    ['::7f00:1', false],
    ['100:0:0:1::1', false],
    ['2002:a00:1::', false],
    ['no address', false],
  ])('are recognised by address (%s is public: %s)', (address, isPublic) => {
    expect(isPublicAddress(address)).toBe(isPublic)
  })
})
