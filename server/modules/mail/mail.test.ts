import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { routes } from '#contract/routes.ts'
import { serializers } from '#server/http/logger.ts'
import { startJobs } from '#server/jobs/jobs.ts'
import { buildStaff, TEST_PASSWORD } from '#server/testing/factories.ts'
import { useSmtpServer } from '#server/testing/smtp-server.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const smtp = await useSmtpServer()
const { recipient, mail } = smtp.replies

type TestApp = ReturnType<typeof useTestApp>

const silent = { info: () => undefined, error: () => undefined }

async function runJobs(test: TestApp): Promise<void> {
  onTestFinished(await startJobs(test.context, silent, test.database.notifications))
}

const colleague = { firstname: 'Lerato', email: 'Lerato@Example.com', password: 'otter lamp 2026 quiet' }

async function addColleague(test: TestApp, token: string, email = colleague.email) {
  const response = await test.request(routes.staff.create, { token, body: { ...colleague, email } })
  expect(response.status).toBe(201)
  return response.body as { _id: string }
}

async function listMails(test: TestApp, token: string, query: Record<string, string> = {}) {
  const response = await test.request(routes.mails.list, { token, query })
  expect(response.status).toBe(200)
  return response.body as { _id: string; state: string; subject: string; toEmail: string; response: string | null }[]
}

const signIn = (test: TestApp, email: string, address: string, userAgent = 'test') =>
  test.request(routes.auth.login, {
    body: { email, password: TEST_PASSWORD },
    headers: { 'x-forwarded-for': address, 'user-agent': userAgent },
  })

describe('without a mail server', () => {
  const test = useTestApp({ TRUST_PROXY: '1' })

  it('stores mails to be read in the portal, and sends none', async () => {
    const { token, email } = await test.signIn(undefined, { firstname: 'Thandi', lastname: 'Nkosi' })
    await addColleague(test, token)
    const [kept] = await listMails(test, token)
    expect(kept).toMatchObject({
      kind: 'invitation',
      state: 'kept',
      subject: 'Your Podkeeper account',
      customerId: null,
      toName: 'Lerato',
      toEmail: 'lerato@example.com',
      tries: 0,
      response: null,
      sentAt: null,
    })
    const whole = await test.request(routes.mails.get, { token, params: { id: kept?._id ?? '' } })
    expect(whole.body.text).toContain('Thandi Nkosi has created an account for you at Podkeeper')
    expect(whole.body.text).toContain('http://localhost:4000/login')
    expect(whole.body.html).toContain('lerato@example.com')
    for (const text of [whole.body.text, whole.body.html]) expect(text).not.toContain(colleague.password)
    expect(whole.body.html).not.toMatch(/<img|src=|url\(/)
    const retry = await test.request(routes.mails.retry, { token, params: { id: kept?._id ?? '' } })
    expect(retry).toMatchObject({ status: 409, body: { code: 'mail_not_set_up' } })
    expect(email).not.toBe('')
    expect(await test.db.selectFrom('jobs').select('id').execute()).toEqual([])
  })

  it('escapes names in HTML', async () => {
    const { token } = await test.signIn(undefined, { firstname: '<img src=x>', lastname: '"& more"' })
    await addColleague(test, token)
    const [kept] = await listMails(test, token)
    const { body } = await test.request(routes.mails.get, { token, params: { id: kept?._id ?? '' } })
    expect(body.html).toContain('&lt;img src=x&gt; &quot;&amp; more&quot; has created an account')
    expect(body.html).not.toContain('<img')
    expect(body.text).toContain('<img src=x> "& more" has created an account')
  })

  it('writes a mail about a new password, naming the colleague who set it or the IP address', async () => {
    const { token, _id, email } = await test.signIn(undefined, { firstname: 'Thandi', lastname: 'Nkosi' })
    const other = await buildStaff(test.db, { email: 'old@example.com', pages: [] })
    const change = { password: 'otter lamp 2026 quiet', email: 'new@example.com' }
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    await test.request(routes.staff.update, { token, params: { id: other.id }, body: change, headers })
    await test.request(routes.staff.update, { token, params: { id: other.id }, body: { firstname: 'No mail' } })
    const body = { currentPassword: TEST_PASSWORD, newPassword: 'otter lamp 2026 quiet' }
    await test.request(routes.auth.changePassword, { token, body, headers })
    const mails = await listMails(test, token, { kind: 'password-changed', sort: 'createdAt' })
    expect(mails.map(({ toEmail }) => toEmail).toSorted()).toEqual(['old@example.com', email].toSorted())
    const read = async (address: string) => {
      const id = mails.find(({ toEmail }) => toEmail === address)?._id ?? ''
      return (await test.request(routes.mails.get, { token, params: { id } })).body.text as string
    }
    expect(await read('old@example.com')).toContain('Thandi Nkosi has set a new password')
    expect(await read('old@example.com')).toContain('You are signed out everywhere.')
    expect(await read(email)).toContain('You are signed out everywhere else.')
    expect(await read('old@example.com')).not.toContain('203.0.113.9')
    expect(await read(email)).toContain('The password of your Podkeeper account was changed.')
    expect(await read(email)).toMatch(
      /When: 21 November 2026, 11:\d\d AM \(Africa\/Johannesburg\)\nFrom: 203\.0\.113\.9/,
    )
    expect(await read(email)).not.toContain('Nkosi')
    expect(_id).not.toBe('')
  })

  it('writes a mail about a sign-in from a network or a device not used recently, but not about the first sign-in', async () => {
    const { token } = await test.signIn()
    const { email } = await buildStaff(test.db)
    const subjects = async () => (await listMails(test, token)).map(({ subject }) => subject)
    for (const _ of [1, 2]) expect((await signIn(test, email, '203.0.113.9')).status).toBe(200)
    expect(await subjects()).toEqual([])
    // Colleagues have used the other network.
    await signIn(test, (await buildStaff(test.db)).email, '198.51.100.7')
    for (const _ of [1, 2]) await signIn(test, email, '198.51.100.7')
    expect(await subjects()).toEqual(['New sign-in to your Podkeeper account'])
    await signIn(test, email, '203.0.113.9')
    expect(await subjects()).toHaveLength(1)
    const [iPhone, next] = ['17_0', '18_1'].map(
      (version) => `Mozilla/5.0 (iPhone; CPU iPhone OS ${version}) Safari/604.1`,
    )
    for (const agent of [iPhone, next]) await signIn(test, email, '196.25.1.1', agent)
    expect(await subjects()).toHaveLength(2)
    const texts = await test.db
      .selectFrom('mails')
      .select('text')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    expect(texts[0]?.text).toMatch(/From\W+196\.25\.1\.1 \(South Africa\)\s+With\W+Safari on iPhone/)
    test.clock.set('2026-12-21T09:00:00.000Z')
    const later = await test.signIn()
    await signIn(test, email, '203.0.113.9')
    expect(await listMails(test, later.token)).toHaveLength(3)
  })

  it('lists mails newest first, and filters by state, kind and search', async () => {
    const { token } = await test.signIn()
    const row = (n: number) => ({
      id: `00000000-0000-7000-8000-00000000000${n}`,
      kind: n === 1 ? ('invitation' as const) : ('new-sign-in' as const),
      to_name: n === 2 ? 'Chloé Nel' : `Person ${n}`,
      to_email: `person${n}@example.com`,
      subject: 'Hello',
      html: '',
      text: '',
      state: n === 2 ? ('failed' as const) : ('sent' as const),
      created_at: new Date(`2026-11-2${n}T09:00:00.000Z`),
    })
    await test.db
      .insertInto('mails')
      .values([row(1), row(2), row(3)])
      .execute()
    const list = async (query: Record<string, string>) =>
      (await listMails(test, token, query)).map(({ toEmail }) => toEmail[6])
    expect(await list({})).toEqual(['3', '2', '1'])
    expect(await list({ sort: 'createdAt', limit: '2' })).toEqual(['1', '2'])
    expect(await list({ state: 'failed' })).toEqual(['2'])
    expect(await list({ kind: 'new-sign-in' })).toEqual(['3', '2'])
    expect(await list({ search: 'PERSON3 hello' })).toEqual(['3'])
    for (const search of ['chloe', 'CHLOÉ nel', 'n2@example']) expect(await list({ search })).toEqual(['2'])
    expect(await list({ search: '%' })).toEqual([])
    const wrong = await test.request(routes.mails.list, { token, query: { state: 'lost' } })
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'state' }] } })
  })
})

describe('with a mail server', () => {
  const test = useTestApp({ SMTP_URL: smtp.url, MAIL_FROM: 'pods@example.com' })

  it('sends each mail from a job, with the job’s id in the message id', async () => {
    const { token } = await test.signIn()
    await addColleague(test, token)
    expect(await listMails(test, token)).toMatchObject([{ state: 'queued' }])
    await runJobs(test)
    await expect.poll(() => listMails(test, token)).toMatchObject([{ state: 'sent', response: mail }])
    const readJob = () => test.db.selectFrom('jobs').selectAll().where('kind', '=', 'mail').executeTakeFirstOrThrow()
    // The job's state is written after the mail's.
    await expect.poll(async () => (await readJob()).done_at).not.toBeNull()
    const job = await readJob()
    expect(smtp.mails).toMatchObject([
      {
        from: 'pods@example.com',
        to: 'lerato@example.com',
        id: `<${job.id}@example.com>`,
        subject: 'Your Podkeeper account',
      },
    ])
    expect(smtp.mails[0]?.text).toContain('Hello Lerato,')
    expect(smtp.mails[0]?.source).toContain('multipart/alternative')
  })

  it('remembers the request of each mail, also of a sign-in and of a password that a colleague sets', async () => {
    const { token } = await test.signIn()
    const { id, email } = await buildStaff(test.db, { pages: [] })
    const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1) Safari/604.1'
    const login = (userAgent: string) =>
      test.request(routes.auth.login, {
        body: { email, password: TEST_PASSWORD },
        headers: { 'user-agent': userAgent, 'x-request-id': 'a-sign-in' },
      })
    for (const agent of ['test', iPhone]) expect((await login(agent)).status).toBe(200)
    const headers = { 'x-request-id': 'a-new-password' }
    const edit = { token, params: { id }, body: { password: colleague.password }, headers }
    expect((await test.request(routes.staff.update, edit)).status).toBe(200)
    const jobs = await test.db
      .selectFrom('jobs')
      .select('request_id')
      .where('kind', '=', 'mail')
      .orderBy('request_id')
      .execute()
    expect(jobs).toEqual([{ request_id: 'a-new-password' }, { request_id: 'a-sign-in' }])
  })

  it('prevents header injection through names', async () => {
    const { token } = await test.signIn()
    const firstname = 'Lerato\r\nBcc: others@example.com\r\n\r\nHello'
    const response = await test.request(routes.staff.create, { token, body: { ...colleague, firstname } })
    expect(response.status).toBe(201)
    await runJobs(test)
    await expect.poll(() => listMails(test, token)).toMatchObject([{ state: 'sent' }])
    const [head = ''] = smtp.mails.at(-1)?.source.split(/\r?\n\r?\n/) ?? []
    expect(head).not.toMatch(/^bcc:/im)
    expect(smtp.mails.at(-1)?.to).toBe('lerato@example.com')
  })

  it('writes no mail when the change fails', async () => {
    const { token, email } = await test.signIn()
    const response = await test.request(routes.staff.create, { token, body: { ...colleague, email } })
    expect(response.status).toBe(409)
    expect(await listMails(test, token)).toEqual([])
  })

  it('retries after a temporary error of the mail server, and shows the server’s reply', async () => {
    smtp.replies.mail = '451 4.3.0 busy, come back'
    const { token } = await test.signIn()
    await addColleague(test, token)
    await runJobs(test)
    const refused = { state: 'queued', response: '451 4.3.0 busy, come back' }
    await expect.poll(() => listMails(test, token)).toMatchObject([refused])
    const readJob = () => test.db.selectFrom('jobs').selectAll().where('kind', '=', 'mail').executeTakeFirstOrThrow()
    await expect.poll(async () => (await readJob()).lease_id).toBeNull()
    const { run_at } = await readJob()
    expect(run_at.getTime()).toBeGreaterThan(test.clock.now().getTime())
    expect(await listMails(test, token)).toMatchObject([{ nextTryAt: run_at.toISOString() }])
    smtp.replies.mail = mail
    test.clock.set(run_at)
    await test.database.notifications.notify('jobs')
    await expect.poll(() => listMails(test, token)).toMatchObject([{ state: 'sent', tries: 2, nextTryAt: null }])
    expect(smtp.mails).toHaveLength(1)
  })

  it('sends a mail at once that waits for its next attempt when staff retry, with the same message id', async () => {
    smtp.replies.mail = '451 4.3.0 busy, come back'
    const { token } = await test.signIn()
    await addColleague(test, token)
    const retry = async () => {
      const [waiting] = await listMails(test, token)
      return test.request(routes.mails.retry, { token, params: { id: waiting?._id ?? '' } })
    }
    expect((await retry()).status, 'before its first attempt').toBe(409)
    await runJobs(test)
    await expect.poll(() => listMails(test, token)).toMatchObject([{ state: 'queued', tries: 1 }])
    const readJob = () => test.db.selectFrom('jobs').selectAll().where('kind', '=', 'mail').executeTakeFirstOrThrow()
    await expect.poll(async () => (await readJob()).lease_id).toBeNull()
    const { id } = await readJob()
    smtp.replies.mail = mail
    expect((await retry()).status).toBe(200)
    await expect.poll(() => listMails(test, token)).toMatchObject([{ state: 'sent', tries: 2 }])
    expect(smtp.mails).toMatchObject([{ id: `<${id}@example.com>` }])
  })

  it('tries again when the mail server refuses the sender, which a setting names', async () => {
    smtp.replies.sender = '553 5.7.1 <pods@example.com>: Sender address rejected'
    const { token } = await test.signIn()
    await addColleague(test, token)
    await runJobs(test)
    await expect.poll(() => listMails(test, token)).toMatchObject([{ tries: 1, response: smtp.replies.sender }])
    const readJob = () => test.db.selectFrom('jobs').selectAll().where('kind', '=', 'mail').executeTakeFirstOrThrow()
    await expect.poll(async () => (await readJob()).lease_id).toBeNull()
    expect((await readJob()).dead_at).toBeNull()
    expect(await listMails(test, token)).toMatchObject([{ state: 'queued' }])
  })

  it('logs why a mail was refused, without the address that the mail server repeats', async () => {
    smtp.replies.recipient = '550 5.1.1 <lerato@example.com>: no such person'
    const { token } = await test.signIn()
    await addColleague(test, token)
    let logged = ''
    const log = pino({ serializers }, { write: (line) => void (logged += line) })
    onTestFinished(await startJobs(test.context, log, test.database.notifications))
    const [mail] = await expect
      .poll(() => listMails(test, token))
      .toMatchObject([{ state: 'failed' }])
      .then(() => listMails(test, token))
    expect(mail?.response).toBe('550 5.1.1 <lerato@example.com>: no such person')
    expect(logged).toContain('550 5.1.1 <…@…>: no such person')
    expect(logged).not.toContain('lerato')
  })

  it('gives up after a permanent error, and sends the mail when staff retry', async () => {
    smtp.replies.recipient = '550 5.1.1 no such person'
    const { token } = await test.signIn()
    await addColleague(test, token)
    await runJobs(test)
    const [failed] = await expect
      .poll(() => listMails(test, token))
      .toMatchObject([{ state: 'failed', tries: 1, response: '550 5.1.1 no such person' }])
      .then(() => listMails(test, token))
    const dead = async () => (await test.request(routes.failedJobs.list, { token })).body as { _id: string }[]
    expect(await dead()).toMatchObject([{ title: 'Sending a mail', tries: 1, lastError: '550 5.1.1 no such person' }])

    const [{ _id: jobId } = { _id: '' }] = await dead()
    const retryJob = () =>
      test.request(routes.failedJobs.retry, {
        token,
        params: { id: jobId },
        headers: { 'x-request-id': 'tried-again' },
      })
    expect((await retryJob()).status).toBe(200)
    await expect.poll(() => listMails(test, token)).toMatchObject([{ state: 'failed', tries: 2 }])
    const { request_id } = await test.db
      .selectFrom('jobs')
      .select('request_id')
      .where('id', '=', jobId)
      .executeTakeFirstOrThrow()
    expect(request_id).toBe('tried-again')

    smtp.replies.recipient = recipient
    const retry = () => test.request(routes.mails.retry, { token, params: { id: failed?._id ?? '' } })
    expect((await retry()).status).toBe(200)
    await expect.poll(() => listMails(test, token)).toMatchObject([{ state: 'sent', tries: 3 }])
    expect(await dead()).toEqual([])
    expect((await retry()).status).toBe(409)
    expect((await retryJob()).status).toBe(404)
    expect(smtp.mails).toMatchObject([{ id: `<${jobId}@example.com>` }])
  })

  it('sends a mail that was kept without a mail server when staff retry', async () => {
    const { token } = await test.signIn()
    const { sendMail } = test.context
    test.context.sendMail = undefined
    await addColleague(test, token)
    await addColleague(test, token, 'thabo@example.com')
    test.context.sendMail = sendMail
    const [kept] = await listMails(test, token)
    expect(kept?.state).toBe('kept')
    await runJobs(test)
    await test.request(routes.mails.retry, { token, params: { id: kept?._id ?? '' } })
    await expect.poll(() => listMails(test, token)).toMatchObject([{ state: 'sent' }, { state: 'kept' }])
  })
})
