import { describe, expect, it, onTestFinished } from 'vitest'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { startJobs } from '#server/jobs/jobs.ts'
import { buildStaff, TEST_PASSWORD } from '#server/testing/factories.ts'
import { useSmtpServer } from '#server/testing/smtp-server.ts'
import { type TestResponse, useTestApp } from '#server/testing/test-app.ts'
import { untilSomeoneWaits } from '#server/testing/until-someone-waits.ts'
import { lockSignIn } from './auth.repository.ts'
import { createPasswordLink as createLink } from './create-password-link.ts'

const { login, requestPasswordLink, readPasswordLink, usePasswordLink } = routes.auth
const { create, createPasswordLink } = routes.staff
const NEW = 'otter lamp 2026 quiet'
const isPostgres = process.env.TEST_ENGINE === 'postgres'

const smtp = await useSmtpServer()

type TestApp = ReturnType<typeof useTestApp>

const toToken = (link: string) => link.split('#')[1] ?? ''

const use = (test: TestApp, token: string, newPassword: unknown = NEW) =>
  test.request(usePasswordLink, { body: { token, newPassword } })

const signIn = async (test: TestApp, email: string, password: string) =>
  (await test.request(login, { body: { email, password } })).status

async function makeLink(test: TestApp, token: string, id: string): Promise<string> {
  const response = await test.request(createPasswordLink, { token, params: { id } })
  expect(response.status).toBe(200)
  return toToken(response.body.link)
}

describe('a password link when mail is not set up', () => {
  const test = useTestApp()

  it('is shown to its creator, and lets a new colleague choose their first password', async () => {
    const me = await test.signIn()
    const body = { firstname: 'Lerato', email: 'lerato@example.com', auth_page: [1] }
    const created = await test.request(create, { token: me.token, body })
    expect(created).toMatchObject({ status: 201, body: { isLinkMailed: false } })
    expect(created.text).not.toContain('#')
    for (const guess of ['', ' ', 'null']) expect(await signIn(test, body.email, guess)).not.toBe(200)

    const made = await test.request(createPasswordLink, { token: me.token, params: { id: created.body._id } })
    expect(made.body.link).toMatch(/^http:\/\/localhost:4000\/choose-password#[\w-]{43}$/)
    const token = toToken(made.body.link)
    const whom = await test.request(readPasswordLink, { body: { token } })
    expect(whom.body).toEqual({ firstname: 'Lerato', email: 'lerato@example.com', isNew: true })
    expect((await use(test, token)).body).toEqual({ message: 'Your password is set. Log in with it.' })
    expect(await signIn(test, body.email, NEW)).toBe(200)
    expect(await signIn(test, me.email, NEW), 'as anybody else').toBe(401)
  })

  it('works once, even if two of a person’s links are used at once, and then all of them are over', async () => {
    const me = await test.signIn()
    const { id } = await buildStaff(test.db)
    const [first, second] = [await makeLink(test, me.token, id), await makeLink(test, me.token, id)]
    const both = await Promise.all([use(test, first), use(test, second, `${NEW} too`)])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410])
    expect((await use(test, first)).body).toMatchObject({
      code: 'link_over',
      message: 'This link has been used, or its hour is over. Ask for a new one.',
    })
    expect((await test.request(readPasswordLink, { body: { token: second } })).status).toBe(410)
  })

  it('is refused after an hour, and while the person is blocked or deleted', async () => {
    const me = await test.signIn()
    const staff = await buildStaff(test.db)
    const token = await makeLink(test, me.token, staff.id)
    test.clock.set('2026-11-21T09:59:59.000Z')
    const read = async () => (await test.request(readPasswordLink, { body: { token } })).status
    expect(await read()).toBe(200)
    for (const change of [{ is_blocked: true }, { is_blocked: false, deleted_at: new Date() }]) {
      await test.db.updateTable('staff').set(change).where('id', '=', staff.id).execute()
      const another = await test.request(createPasswordLink, { token: me.token, params: { id: staff.id } })
      expect(another.status).toBe(change.is_blocked ? 409 : 404)
      expect(await read()).toBe(410)
      expect((await use(test, token)).status).toBe(410)
    }
    await test.db.updateTable('staff').set({ deleted_at: null }).where('id', '=', staff.id).execute()
    test.clock.set('2026-11-21T10:00:00.000Z')
    expect((await use(test, token)).status).toBe(410)
    expect(await signIn(test, staff.email, TEST_PASSWORD)).toBe(200)
  })

  it('ends the person’s sessions, is recorded in the history, and is stored only as a hash', async () => {
    const me = await test.signIn()
    const other = await test.signIn([2])
    const token = await makeLink(test, me.token, other._id)
    expect((await test.request(routes.features.list, { token: other.token })).status).toBe(200)
    const stored = await test.db.selectFrom('password_links').selectAll().execute()
    expect(JSON.stringify(stored.map((row) => row.token_hash.toString('base64url')))).not.toContain(token)
    expect((await use(test, token)).status).toBe(200)
    expect((await test.request(routes.features.list, { token: other.token })).status).toBe(401)
    expect((await test.request(routes.features.list, { token: me.token })).status).toBe(200)
    const changes = await test.db
      .selectFrom('audit')
      .select(['action', 'actor_id', 'entity_id', 'after'])
      .orderBy('at')
      .orderBy('id')
      .execute()
    expect(changes).toEqual([
      { action: 'password-link', actor_id: me._id, entity_id: other._id, after: null },
      { action: 'password', actor_id: other._id, entity_id: other._id, after: { password_hash: '********' } },
    ])
    const kept = JSON.stringify(await test.db.selectFrom('idempotency_keys').selectAll().execute())
    expect(kept).not.toContain(token)
  })

  it('is over once the account has another address or password, also when an undo brings it back', async () => {
    const me = await test.signIn()
    const staff = await buildStaff(test.db, { email: 'lerato@exmaple.com' })
    const params = { id: staff.id }
    const read = async (link: string) => (await test.request(readPasswordLink, { body: { token: link } })).status
    const edit = async (body: object) => test.request(routes.staff.update, { token: me.token, params, body })

    // Mailed to a misspelt address, where a stranger may read it.
    let link = await makeLink(test, me.token, staff.id)
    expect((await edit({ role: 'Host', email: 'Lerato@Exmaple.com' })).status).toBe(200)
    expect(await read(link)).toBe(200)
    const corrected = await edit({ email: 'lerato@example.com' })
    expect(await read(link)).toBe(410)

    link = await makeLink(test, me.token, staff.id)
    const undo = { token: me.token, params: { id: String(corrected.headers['x-undo-id']) } }
    expect((await test.request(routes.audit.undo, undo)).status).toBe(200)
    expect(await read(link)).toBe(410)

    link = await makeLink(test, me.token, staff.id)
    expect((await edit({ password: NEW })).status).toBe(200)
    expect(await read(link)).toBe(410)

    link = await makeLink(test, me.token, staff.id)
    const own = await test.request(login, { body: { email: staff.email, password: NEW } })
    const body = { currentPassword: NEW, newPassword: `${NEW} too` }
    expect((await test.request(routes.auth.changePassword, { token: own.body.token, body })).status).toBe(200)
    expect(await read(link)).toBe(410)
  })

  const endings: [string, (link: string, boss: string, id: string) => Promise<TestResponse>][] = [
    [
      'another address',
      (_, token, id) =>
        test.request(routes.staff.update, { token, params: { id }, body: { email: 'new@example.com' } }),
    ],
    [
      'another password',
      (_, token, id) => test.request(routes.staff.update, { token, params: { id }, body: { password: NEW } }),
    ],
    ['the use of another link', (link) => use(test, link)],
  ]
  it.runIf(isPostgres).each(endings)('is over with %s, even if it is made at the same moment', async (_, end) => {
    const me = await test.signIn()
    const { id } = await buildStaff(test.db)
    const link = await makeLink(test, me.token, id)
    const { response } = await test.db.transaction().execute(async (tx) => {
      await lockSignIn(tx, id)
      const response = end(link, me.token, id)
      await untilSomeoneWaits(tx)
      await createLink(test.context, tx, id)
      return { response }
    })
    expect((await response).status).toBe(200)
    expect(await test.db.selectFrom('password_links').select('staff_id').execute()).toEqual([])
  })

  it('refuses a weak password at its field, and still works afterwards', async () => {
    const me = await test.signIn()
    const staff = await buildStaff(test.db, { email: 'thandi.nkosi@example.com' })
    const token = await makeLink(test, me.token, staff.id)
    for (const poor of ['', 'short', 'password123', 'thandi.nkosi']) {
      const refused = await use(test, token, poor)
      expect(refused.status).toBe(400)
      expect(refused.body.errors).toMatchObject([{ path: 'newPassword' }])
    }
    expect((await use(test, token)).status).toBe(200)
  })

  it('can be created only by staff with all pages of the colleague', async () => {
    const me = await test.signIn([1, 8])
    const { id } = await buildStaff(test.db, { pages: [1, 4] })
    const refused = await test.request(createPasswordLink, { token: me.token, params: { id } })
    expect(refused).toMatchObject({ status: 403, body: { code: 'colleague_has_more' } })
    const unknown = await test.request(createPasswordLink, { token: me.token, params: { id: createId() } })
    expect(unknown.status).toBe(404)
    expect(await test.db.selectFrom('password_links').select('staff_id').execute()).toEqual([])
  })

  it('cannot be requested by mail: any address gets a 409 that says whom to ask', async () => {
    await buildStaff(test.db, { email: 'known@example.com' })
    for (const email of ['known@example.com', 'nobody@example.com']) {
      const response = await test.request(requestPasswordLink, { body: { email } })
      expect(response).toMatchObject({ status: 409, body: { code: 'mail_not_set_up' } })
      expect(response.body.message).toContain('Ask a colleague with access to Assign Role')
    }
  })

  it('cannot be guessed: after 100 wrong ones from a network, further attempts get 429', async () => {
    const me = await test.signIn()
    const { id } = await buildStaff(test.db)
    const token = await makeLink(test, me.token, id)
    const read = async (guess: string) => (await test.request(readPasswordLink, { body: { token: guess } })).status
    for (let n = 0; n < 100; n++) expect(await read(`guess ${n}`)).toBe(410)
    expect(await read('one more')).toBe(429)
    expect((await use(test, token)).status).toBe(429)
  })
})

describe('a password link when mail is set up', () => {
  const test = useTestApp({ SMTP_URL: smtp.url, MAIL_FROM: 'pods@example.com' })
  const silent = { info: () => undefined, error: () => undefined }
  const runJobs = async () => onTestFinished(await startJobs(test.context, silent, test.database.notifications))
  const linkIn = (mail: { text: string } | undefined) => /choose-password#([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  const jobsDone = async () => {
    await expect
      .poll(() =>
        test.db
          .selectFrom('jobs')
          .select('key')
          .where('kind', 'in', ['mail', 'password link'])
          .where('done_at', 'is', null)
          .execute(),
      )
      .toEqual([])
  }

  it('is created when the mail is sent, so the copy shown in the portal cannot be used', async () => {
    const me = await test.signIn()
    const body = { firstname: 'Lerato', email: 'lerato@example.com', auth_page: [1] }
    const created = await test.request(create, { token: me.token, body })
    expect(created.body.isLinkMailed).toBe(true)
    expect(await test.db.selectFrom('password_links').select('staff_id').execute()).toEqual([])
    await runJobs()
    await expect.poll(() => smtp.mails).toHaveLength(1)
    await jobsDone()
    const token = linkIn(smtp.mails[0])
    const [{ _id: id } = { _id: '' }] = (await test.request(routes.mails.list, { token: me.token })).body
    const shown = (await test.request(routes.mails.get, { token: me.token, params: { id } })).body
    expect(linkIn(shown)).toBe('made-when-it-is-sent')
    expect(shown.html).not.toContain(token)
    expect((await use(test, linkIn(shown))).status).toBe(410)
    expect((await use(test, token)).status).toBe(200)
    expect(await signIn(test, body.email, NEW)).toBe(200)
  })

  it('is mailed on request to active staff only, with the same response for every address', async () => {
    const staff = await buildStaff(test.db, { email: 'thandi@example.com' })
    await buildStaff(test.db, { email: 'blocked@example.com', is_blocked: true })
    const ask = (email: string) => test.request(requestPasswordLink, { body: { email } })
    const known = await ask(' Thandi@Example.com')
    expect(known.status).toBe(200)
    for (const email of ['nobody@example.com', 'blocked@example.com']) {
      const response = await ask(email)
      expect(response.status).toBe(200)
      expect(response.body).toEqual(known.body)
    }
    await runJobs()
    await expect.poll(() => smtp.mails).toHaveLength(1)
    await jobsDone()
    expect(smtp.mails).toMatchObject([{ to: 'thandi@example.com', subject: 'Choose a new Podkeeper password' }])
    expect((await use(test, linkIn(smtp.mails[0]))).status).toBe(200)
    expect(await signIn(test, staff.email, TEST_PASSWORD)).toBe(401)
    expect(await signIn(test, staff.email, NEW)).toBe(200)
    await expect.poll(() => smtp.mails.map(({ subject }) => subject)).toContain('Your Podkeeper password was changed')
  })

  it('can be requested five times for one address, even an unknown one', async () => {
    const ask = async () => (await test.request(requestPasswordLink, { body: { email: 'no@example.com' } })).status
    for (let n = 0; n < 5; n++) expect(await ask()).toBe(200)
    expect(await ask()).toBe(429)
  })

  it('is not sent to an address that the account no longer has', async () => {
    const me = await test.signIn()
    const staff = await buildStaff(test.db, { email: 'old@example.com' })
    const made = await test.request(createPasswordLink, { token: me.token, params: { id: staff.id } })
    expect(made.body).toMatchObject({ link: null, message: expect.stringContaining('old@example.com') })
    await test.db.updateTable('staff').set({ email: 'new@example.com' }).where('id', '=', staff.id).execute()
    await runJobs()
    const state = () => test.db.selectFrom('mails').select('state').execute()
    await expect.poll(state).toEqual([{ state: 'failed' }])
    expect(smtp.mails).toEqual([])
    expect(await test.db.selectFrom('password_links').select('staff_id').execute()).toEqual([])
  })

  it.runIf(isPostgres)('is not sent to an address that is being replaced', async () => {
    const me = await test.signIn()
    const { id } = await buildStaff(test.db, { email: 'old@example.com' })
    await test.request(createPasswordLink, { token: me.token, params: { id } })
    await test.db.transaction().execute(async (tx) => {
      await tx.updateTable('staff').set({ email: 'new@example.com' }).where('id', '=', id).execute()
      await runJobs()
      await untilSomeoneWaits(tx)
    })
    await expect.poll(() => test.db.selectFrom('mails').select('state').execute()).toEqual([{ state: 'failed' }])
    expect(smtp.mails).toEqual([])
  })
})
