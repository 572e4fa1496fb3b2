import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { SECOND } from '#contract/durations.ts'
import { routes } from '#contract/routes.ts'
import { startJobs } from '#server/jobs/jobs.ts'
import { buildBooking, buildCompany, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { startSmtpServer } from '#server/testing/smtp-server.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { untilSomeoneWaits } from '#server/testing/until-someone-waits.ts'
import { queueReminders } from './messages.service.ts'

const smtp = await startSmtpServer()
const { recipient, mail } = smtp.replies
afterAll(() => smtp.stop())
beforeEach(() => {
  smtp.mails.length = 0
  Object.assign(smtp.replies, { recipient, mail })
})

const test = useTestApp({ SMTP_URL: smtp.url, MAIL_FROM: 'pods@example.com' })
const silent = { info: () => undefined, error: () => undefined }

/** Starts the jobs of a server, which look for work when notified. */
async function runJobs() {
  onTestFinished(await startJobs(test.context, silent, test.database.notifications))
}

const readJobs = () => test.db.selectFrom('jobs').selectAll().where('kind', '=', 'customer message').execute()

/** Waits until all due message jobs are done. */
async function finish() {
  await test.database.notifications.notify('jobs')
  const isLeft = async () =>
    (await readJobs()).some(({ done_at, run_at }) => done_at === null && run_at <= test.clock.now())
  await expect.poll(isLeft).toBe(false)
}

/** Moves the clock past the pause after a change. Waits for running jobs first, as their leases would expire. */
async function settle(ms = 31 * SECOND) {
  await finish()
  test.clock.set(new Date(test.clock.now().getTime() + ms))
  await finish()
}

/** Signs in again, as the test's clock passes the hour that sessions last. */
const signedIn = async (given: SetUp) => ({ ...given, token: (await test.signIn()).token })

/** Runs the sweep of reminders, and waits until the reminders that it found are written. */
async function remind(at: string) {
  test.clock.set(at)
  const sweep = () => test.db.selectFrom('jobs').selectAll().where('kind', '=', 'reminders').executeTakeFirst()
  const isPlanned = async () => ((await sweep())?.run_at.getTime() ?? 0) > test.clock.now().getTime()
  await expect
    .poll(async () => {
      await test.database.notifications.notify('jobs')
      return isPlanned()
    })
    .toBe(true)
  await settle(0)
}

type Mail = { _id: string; kind: string; state: string; subject: string; toEmail: string }

async function listMails(query: Record<string, string> = {}) {
  const { token } = await test.signIn([8])
  const response = await test.request(routes.mails.list, {
    token,
    query: { sort: 'createdAt', limit: '100', ...query },
  })
  return response.body as Mail[]
}
const listKinds = async () => (await listMails()).map(({ kind, state }) => `${kind} ${state}`)

async function readMail(id: string) {
  const { token } = await test.signIn([8])
  return (await test.request(routes.mails.get, { token, params: { id } })).body as {
    html: string
    text: string
    calendar: string | null
  }
}

async function setUp({ email = 'johan@example.com', ...overrides }: Parameters<typeof buildUser>[1] = {}) {
  const { token, _id } = await test.signIn()
  const user = await buildUser(test.db, { firstname: 'Johan', lastname: 'Botha', email, ...overrides })
  const location = await buildLocation(test.db, { name: 'Waterfront' })
  const pod = await buildPod(test.db, { title: 'Nest', location_id: location.id })
  return { token, staffId: _id, user, pod, location }
}

type SetUp = Awaited<ReturnType<typeof setUp>>

async function book({ token, user, pod }: Pick<SetUp, 'token' | 'user' | 'pod'>, body: object = {}) {
  const response = await test.request(routes.bookings.createFor, {
    token,
    body: {
      podId: pod.id,
      bookingPurpose: 'meeting',
      bookingDate: '2026-11-23',
      startTime: '2026-11-23T09:00:00.000Z',
      endTime: '2026-11-23T10:00:00.000Z',
      for: { kind: 'customer', userId: user.id },
      ...body,
    },
  })
  expect([response.status, response.text]).toEqual([201, response.text])
  return response.body.booking as { _id: string; version: number }
}

async function move(
  { token, pod }: Pick<SetUp, 'token' | 'pod'>,
  id: string,
  hour: number,
  date = '2026-11-23',
  hours = 1,
) {
  const at = (clock: number) => `${date}T${String(clock).padStart(2, '0')}:00:00.000Z`
  const response = await test.request(routes.bookingActions.move, {
    token,
    params: { id },
    body: {
      podId: pod.id,
      bookingDate: date,
      startTime: at(hour),
      endTime: at(hour + hours),
      version: await versionOf(id),
    },
  })
  expect([response.status, response.text]).toEqual([200, response.text])
  return response
}

async function versionOf(id: string) {
  return (await test.db.selectFrom('bookings').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version
}

async function cancel({ token }: Pick<SetUp, 'token'>, id: string) {
  const body = { reason: 'The customer asked', version: await versionOf(id) }
  const response = await test.request(routes.bookingActions.cancel, { token, params: { id }, body })
  expect(response.status).toBe(200)
  return response
}

const lines = (calendar: string | null | undefined) => (calendar ?? '').replaceAll('\r\n ', '').split('\r\n')

describe('a message to a customer', () => {
  it('confirms a booking, with its code and a calendar file', async () => {
    const given = await setUp()
    const { _id } = await book(given)
    await runJobs()
    await settle()
    expect(await listMails()).toMatchObject([
      {
        kind: 'booked',
        state: 'sent',
        subject: 'Booked: Nest on Monday, 23 November 2026',
        toEmail: 'johan@example.com',
      },
    ])
    const [sent] = smtp.mails
    expect(sent?.to).toBe('johan@example.com')
    expect(sent?.text).toContain('Hello Johan,')
    expect(sent?.text).toContain('Nest at Waterfront is yours on Monday, 23 November 2026 from 9:00 AM to 10:00 AM.')
    expect(sent?.text).toContain(_id.slice(-8).toUpperCase())
    expect(sent?.source).toContain('Content-Type: text/calendar; charset=utf-8; method=REQUEST')
    expect(sent?.source).toMatch(/Content-Type: image\/png[^]*Content-ID: <code>/i)
    const [{ _id: mailId } = { _id: '' }] = await listMails()
    const { html, calendar } = await readMail(mailId)
    expect(html).toContain('src="data:image/png;base64,')
    expect(html).not.toMatch(/src="(?!data:)/)
    expect(lines(calendar)).toEqual(
      expect.arrayContaining([
        'METHOD:REQUEST',
        `UID:${_id}`,
        'SEQUENCE:0',
        'STATUS:CONFIRMED',
        'DTSTART;TZID=Africa/Johannesburg:20261123T090000',
        'DTEND;TZID=Africa/Johannesburg:20261123T100000',
        'BEGIN:VTIMEZONE',
      ]),
    )
  })

  it('is sent once for two moves in quick succession, and again for a later move', async () => {
    const given = await setUp()
    const { _id } = await book(given)
    await runJobs()
    await settle()
    await move(given, _id, 11)
    await move(given, _id, 12)
    await settle()
    expect(await listKinds()).toEqual(['booked sent', 'moved sent'])
    const [, moved] = await listMails()
    const { text, calendar } = await readMail(moved?._id ?? '')
    expect(text).toContain(
      'It was Monday, 23 November 2026, 9:00 AM – 10:00 AM in Nest, and is now Monday, 23 November 2026 from 12:00 PM',
    )
    expect(lines(calendar)).toEqual(
      expect.arrayContaining([`UID:${_id}`, 'SEQUENCE:2', 'STATUS:CONFIRMED', 'METHOD:REQUEST']),
    )
    await move(given, _id, 14)
    await settle()
    expect(await listKinds()).toEqual(['booked sent', 'moved sent', 'moved sent'])
    expect(smtp.mails).toHaveLength(3)
    expect(new Set(smtp.mails.map(({ id }) => id)).size).toBe(3)
  })

  it('is sent to both when the time goes to somebody else', async () => {
    const given = await setUp()
    const { _id } = await book(given)
    await runJobs()
    await settle()
    const other = await buildUser(test.db, { firstname: 'Naledi', email: 'naledi@example.com' })
    const response = await test.request(routes.bookings.rebook, {
      token: given.token,
      params: { id: _id },
      body: { version: await versionOf(_id), for: { kind: 'customer', userId: other.id } },
    })
    expect([response.status, response.text]).toEqual([201, response.text])
    await settle()
    const told = (await listMails()).map(({ kind, toEmail }) => `${kind} ${toEmail}`)
    expect(told.sort()).toEqual([
      'booked johan@example.com',
      'booked naledi@example.com',
      'cancelled johan@example.com',
    ])
  })

  it('is sent when the pod moves to another location, and not when that is undone at once', async () => {
    const given = await setUp()
    const { _id } = await book(given)
    await runJobs()
    await settle()
    const there = await buildLocation(test.db, { name: 'Dock House', street: '19 Dock Road' })
    const movePod = async ({ token }: SetUp, locationId: string) => {
      const body = { location: locationId }
      const response = await test.request(routes.pods.update, { token, params: { id: given.pod.id }, body })
      expect([response.status, response.text]).toEqual([200, response.text])
      return response
    }
    const { headers } = await movePod(given, there.id)
    const undo = { token: given.token, params: { id: String(headers['x-undo-id']) } }
    expect((await test.request(routes.audit.undo, undo)).status).toBe(200)
    await settle()
    expect(await listKinds()).toEqual(['booked sent'])
    await movePod(await signedIn(given), there.id)
    await settle()
    expect(await listKinds()).toEqual(['booked sent', 'moved sent'])
    const [, moved] = await listMails()
    const { text, calendar } = await readMail(moved?._id ?? '')
    expect(text).toContain('It was Monday, 23 November 2026, 9:00 AM – 10:00 AM in Nest, Waterfront')
    expect(text).toContain('19 Dock Road')
    expect(lines(calendar)).toContain('SEQUENCE:3')
    await move(await signedIn(given), _id, 12)
    await settle()
    expect(await listKinds()).toEqual(['booked sent', 'moved sent', 'moved sent'])
  })

  it('is not sent for a change that is reversed before the message is written', async () => {
    const given = await setUp()
    const { _id } = await book(given)
    await runJobs()
    await settle()
    await move(given, _id, 11)
    await move(given, _id, 9)
    await settle()
    const cancelled = await cancel(given, _id)
    const undo = await test.request(routes.audit.undo, {
      token: given.token,
      params: { id: String(cancelled.headers['x-undo-id']) },
    })
    expect(undo.status).toBe(200)
    await settle()
    expect(await listKinds()).toEqual(['booked sent'])
  })

  it('is sent for a cancellation, and again when the booking is reinstated', async () => {
    const given = await setUp()
    const { _id } = await book(given)
    await runJobs()
    await settle()
    await cancel(given, _id)
    await settle()
    const [, cancelled] = await listMails()
    expect(cancelled).toMatchObject({ kind: 'cancelled', state: 'sent' })
    const { html, calendar } = await readMail(cancelled?._id ?? '')
    expect(lines(calendar)).toEqual(
      expect.arrayContaining([`UID:${_id}`, 'SEQUENCE:1', 'STATUS:CANCELLED', 'METHOD:CANCEL']),
    )
    expect(html).not.toContain('<img')
    expect(html).not.toContain('Directions')
    const body = { version: await versionOf(_id) }
    const again = await test.request(routes.bookingActions.reinstate, { token: given.token, params: { id: _id }, body })
    expect(again.status).toBe(200)
    await settle()
    const [, , booked] = await listMails()
    expect(booked).toMatchObject({ kind: 'booked', state: 'sent' })
    expect(lines((await readMail(booked?._id ?? '')).calendar)).toContain('SEQUENCE:2')
  })

  it('is not sent for a booking that is cancelled before it was confirmed', async () => {
    const given = await setUp()
    const { _id } = await book(given)
    await cancel(given, _id)
    await runJobs()
    await settle()
    expect(await listMails()).toEqual([])
  })

  it.each([
    {
      what: 'the booking changes',
      change: (given: SetUp, id: string) => move(given, id, 9, '2026-11-23', 2),
      text: 'from 9:00 AM to 11:00 AM',
    },
    {
      what: 'its pod moves to another location',
      change: async ({ token, pod }: SetUp) => {
        const { id: location } = await buildLocation(test.db, { name: 'Dock House', street: '19 Dock Road' })
        const moved = await test.request(routes.pods.update, { token, params: { id: pod.id }, body: { location } })
        expect(moved.status, moved.text).toBe(200)
      },
      text: '19 Dock Road',
    },
  ])('becomes outdated, and is replaced, when $what while the mail server fails', async ({ change, text }) => {
    const given = await setUp()
    smtp.replies.mail = '451 4.3.0 busy'
    const { _id } = await book(given)
    await runJobs()
    test.clock.set(new Date(test.clock.now().getTime() + SECOND))
    await test.database.notifications.notify('jobs')
    await expect.poll(async () => (await readJobs())[0]?.last_error).toBe('451 4.3.0 busy')
    await expect.poll(async () => (await readJobs())[0]?.lease_id).toBeNull()
    await change(given, _id)
    smtp.replies.mail = mail
    await settle(60 * SECOND)
    // The customer was never told of the first time, so the message is about the booking, not about a move.
    expect(await listKinds()).toEqual(['booked outdated', 'booked sent'])
    expect(smtp.mails).toHaveLength(1)
    expect(smtp.mails[0]?.text).toContain(text)
    const [outdated] = await listMails()
    const retry = await test.request(routes.mails.retry, { token: given.token, params: { id: outdated?._id ?? '' } })
    expect(retry.status).toBe(409)
  })

  it('is sent again with the same message id when its job runs again after a crash', async () => {
    const given = await setUp()
    await book(given)
    await runJobs()
    await settle()
    // Simulates a server that was killed before it stored that the mail was sent.
    await test.db.updateTable('mails').set({ state: 'queued' }).execute()
    await test.db.updateTable('told_bookings').set({ start_time: null, told_at: null }).execute()
    await test.db.updateTable('jobs').set({ done_at: null }).where('kind', '=', 'customer message').execute()
    await settle()
    expect(await listKinds()).toEqual(['booked sent'])
    expect(smtp.mails).toHaveLength(2)
    expect(smtp.mails[0]?.id).toBe(smtp.mails[1]?.id)
  })

  it('fails when its address is refused, and is sent when staff retry, unless the booking has changed since', async () => {
    const given = await setUp()
    smtp.replies.recipient = '550 5.1.1 no such person'
    const { _id } = await book(given)
    await runJobs()
    test.clock.set(new Date(test.clock.now().getTime() + SECOND))
    await test.database.notifications.notify('jobs')
    await expect.poll(listKinds).toEqual(['booked failed'])
    smtp.replies.recipient = recipient
    const [failed] = await listMails()
    const retry = async (mail: Mail | undefined) =>
      expect(
        await test.request(routes.mails.retry, { token: given.token, params: { id: mail?._id ?? '' } }),
      ).toMatchObject({ status: 200 })
    await retry(failed)
    await expect.poll(listKinds).toEqual(['booked sent'])
    // Not the subject, which may have the customer's name.
    const retries = test.db.selectFrom('audit').select('label').where('entity', '=', 'mail')
    expect(await retries.execute()).toEqual([{ label: 'Message: booked' }])

    await finish()
    smtp.replies.recipient = '550 5.1.1 no such person'
    await move(given, _id, 11)
    test.clock.set(new Date(test.clock.now().getTime() + 31 * SECOND))
    await test.database.notifications.notify('jobs')
    await expect.poll(listKinds).toEqual(['booked sent', 'moved failed'])
    smtp.replies.recipient = recipient
    await move(given, _id, 12)
    await retry((await listMails())[1])
    await settle()
    expect(await listKinds()).toEqual(['booked sent', 'moved outdated', 'moved sent'])
    expect(smtp.mails).toHaveLength(2)
    expect(smtp.mails[1]?.text).toContain('and is now Monday, 23 November 2026 from 12:00 PM')
  })

  it('goes to the new address when a refused one is corrected and staff retry', async () => {
    const given = await setUp()
    const company = await buildCompany(test.db, { name: 'Baobab', email: 'ofice@baobab.example' })
    smtp.replies.recipient = '550 5.1.1 no such person'
    await book(given, { for: { kind: 'company', companyId: company.id } })
    await runJobs()
    test.clock.set(new Date(test.clock.now().getTime() + SECOND))
    await test.database.notifications.notify('jobs')
    await expect.poll(listKinds).toEqual(['booked failed'])
    smtp.replies.recipient = recipient
    await test.db.updateTable('companies').set({ email: 'office@baobab.example' }).execute()
    const [failed] = await listMails()
    const retry = await test.request(routes.mails.retry, { token: given.token, params: { id: failed?._id ?? '' } })
    expect(retry.status).toBe(200)
    await expect.poll(listKinds).toEqual(['booked outdated', 'booked sent'])
    expect(smtp.mails).toMatchObject([{ to: 'office@baobab.example' }])
  })

  it('is not sent without an address, for staff’s own bookings, or to deleted customers', async () => {
    const given = await setUp({ email: '' })
    await book(given)
    const at = { bookingDate: '2026-11-24', startTime: '2026-11-24T09:00:00.000Z', endTime: '2026-11-24T10:00:00.000Z' }
    const own = await test.request(routes.bookings.create, {
      token: given.token,
      params: { podId: given.pod.id },
      body: { bookingPurpose: 'meeting', ...at },
    })
    expect(own.status).toBe(201)
    await cancel(given, own.body.booking._id)
    const gone = await setUp({ email: 'gone@example.com' })
    const booking = await book(gone)
    await test.db.updateTable('users').set({ deleted_at: test.clock.now() }).where('id', '=', gone.user.id).execute()
    await move(gone, booking._id, 12)
    const company = await buildCompany(test.db, { email: 'office@baobab.example' })
    await book(await setUp(), { for: { kind: 'company', companyId: company.id } })
    await test.db.updateTable('companies').set({ deleted_at: test.clock.now() }).execute()
    await runJobs()
    await settle()
    expect(await listMails()).toEqual([])
    expect((await readJobs()).every(({ done_at }) => done_at !== null)).toBe(true)
  })

  it('goes to the company’s own address, and greets its contact by name', async () => {
    const given = await setUp()
    const company = await buildCompany(test.db, {
      name: 'Baobab',
      contact_name: 'Lerato',
      email: 'office@baobab.example',
    })
    await book(given, { for: { kind: 'company', companyId: company.id } })
    await runJobs()
    await settle()
    expect(smtp.mails).toMatchObject([{ to: 'office@baobab.example' }])
    expect(smtp.mails[0]?.text).toContain('Hello Lerato,')
  })

  it('is not sent while its template is switched off, nor when the template is switched on again', async () => {
    const given = await setUp()
    const { templates } = (await test.request(routes.messages.templates, { token: given.token })).body
    const set = (kind: string, isEnabled: boolean) => {
      const { _id, version } = templates.find((template: { kind: string }) => template.kind === kind)
      templates.find((template: { kind: string }) => template.kind === kind).version += 1
      return test.request(routes.messages.setTemplate, {
        token: given.token,
        params: { id: _id },
        body: { isEnabled },
        headers: { 'if-match': String(version) },
      })
    }
    expect((await set('booked', false)).status).toBe(200)
    const { _id } = await book(given)
    await runJobs()
    await settle()
    expect((await set('booked', true)).status).toBe(200)
    await move(given, _id, 12)
    await settle()
    expect(await listKinds()).toEqual(['moved sent'])
    expect(smtp.mails[0]?.text).toContain('It was Monday, 23 November 2026, 9:00 AM – 10:00 AM in Nest, and is now')
  })

  it('is sent for a change of a booking made elsewhere, which was never confirmed', async () => {
    const given = await setUp()
    const booking = await buildBooking(test.db, { user_id: given.user.id, pod_id: given.pod.id })
    await runJobs()
    await settle()
    expect(await listMails()).toEqual([])
    await test.request(routes.bookings.cancel, { token: given.token, params: { id: booking.id } })
    await settle()
    expect(await listKinds()).toEqual(['cancelled sent'])
  })

  it('escapes HTML in names and templates, and fills each placeholder only once', async () => {
    const given = await setUp({ firstname: '<img src=x onerror=alert(1)>{pod}' })
    const { templates } = (await test.request(routes.messages.templates, { token: given.token })).body
    const texts = { subject: 'For {name}', body: '<script>alert(1)</script> {name}\n\n<b>{pod}</b>' }
    const changed = await test.request(routes.messages.setTemplate, {
      token: given.token,
      params: { id: templates[0]._id },
      body: texts,
      headers: { 'if-match': '1' },
    })
    expect(changed.status).toBe(200)
    await book(given)
    await runJobs()
    await settle()
    const [sent] = await listMails()
    expect(sent?.subject).toBe('For <img src=x onerror=alert(1)>{pod}')
    const { html } = await readMail(sent?._id ?? '')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=alert(1)&gt;{pod}')
    expect(html).toContain('&lt;b&gt;Nest&lt;/b&gt;')
    expect(html).not.toMatch(/<script|<b>|onerror=alert\(1\)>[^&]*<\/b/)
    expect(html.match(/<img/g)).toHaveLength(1)
  })
})

describe('changes to many bookings at once', () => {
  /** Books a customer's series that begins on a Monday. */
  const bookSeries = ({ token, pod, user }: Awaited<ReturnType<typeof setUp>>, more: object) =>
    test.request(routes.series.create, {
      token,
      body: {
        podId: pod.id,
        bookingPurpose: 'meeting',
        bookingDate: '2026-11-23',
        startTime: '2026-11-23T09:00:00.000Z',
        endTime: '2026-11-23T10:00:00.000Z',
        for: { kind: 'customer', userId: user.id },
        ...more,
      },
    })

  it('send one mail with all dates when a series is booked, and one when the series is cancelled', async () => {
    const given = await setUp()
    const created = await bookSeries(given, { repeats: { until: '2026-12-07' } })
    expect([created.status, created.text]).toEqual([201, created.text])
    await runJobs()
    await settle()
    const [booked] = await listMails()
    expect(await listKinds()).toEqual(['booked sent'])
    expect(booked?.subject).toBe('Booked: Nest on Monday, 23 November 2026 and 2 more times')
    const { text, calendar } = await readMail(booked?._id ?? '')
    expect(text).toContain('Monday, 7 December 2026, 9:00 AM – 10:00 AM, Nest')
    expect(lines(calendar).filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(3)
    expect(lines(calendar)).toContain('METHOD:PUBLISH')

    const cancelled = await test.request(routes.series.cancel, {
      token: given.token,
      params: { id: created.body.series._id },
      query: { scope: 'all' },
      headers: { 'if-match': String(created.body.series.version) },
    })
    expect([cancelled.status, cancelled.text]).toEqual([200, cancelled.text])
    await settle()
    expect(await listKinds()).toEqual(['booked sent', 'cancelled sent'])
  })

  it('say where each date is when a series has several locations, and give no directions to only one of them', async () => {
    const given = await setUp()
    const there = await buildLocation(test.db, { name: 'Sandton', street: '5 Maude Street' })
    const other = await buildPod(test.db, {
      title: 'Den',
      location_id: there.id,
      direction: 'https://maps.example.com/den',
    })
    const date = '2026-11-30'
    const created = await bookSeries(given, {
      repeats: { until: date },
      choices: [{ date, action: 'move', podId: other.id }],
    })
    expect([created.status, created.text]).toEqual([201, created.text])
    await runJobs()
    await settle()
    const text = smtp.mails[0]?.text
    expect(text).toContain('Monday, 23 November 2026, 9:00 AM – 10:00 AM, Nest, Waterfront – code')
    expect(text).toContain('Monday, 30 November 2026, 9:00 AM – 10:00 AM, Den, Sandton – code')
    expect(text).toMatch(/Where: Waterfront\s[^]*Sandton\s+5 Maude Street/)
    expect(text).not.toContain('Directions')
  })

  it('send a mail for each booking that a closure moves or cancels, and none for one that it leaves', async () => {
    const given = await setUp()
    await buildPod(test.db, { title: 'Roost', location_id: given.location.id })
    const moved = await book(given)
    const times = (hour: number) => ({
      startTime: `2026-11-23T${hour}:00:00.000Z`,
      endTime: `2026-11-23T${hour + 1}:00:00.000Z`,
    })
    const cancelled = await book(given, times(11))
    const left = await book(given, times(13))
    await runJobs()
    await settle()
    expect(smtp.mails).toHaveLength(3)
    const closed = await test.request(routes.closures.create, {
      token: given.token,
      body: {
        podIds: [given.pod.id],
        starts: '2026-11-23T06:00:00.000Z',
        reason: 'Broken lock',
        decisions: [
          { bookingId: moved._id, action: 'move' },
          { bookingId: cancelled._id, action: 'cancel' },
          { bookingId: left._id, action: 'leave' },
        ],
      },
    })
    expect([closed.status, closed.text]).toEqual([201, closed.text])
    await settle()
    expect((await listKinds()).toSorted()).toEqual([
      'booked sent',
      'booked sent',
      'booked sent',
      'cancelled sent',
      'moved sent',
    ])
    expect(smtp.mails.find(({ subject }) => subject.startsWith('Changed'))?.text).toContain('in Roost at Waterfront')
  })
})

describe('a reminder', () => {
  const withReminder = async (hours: number | null) => {
    const given = await setUp()
    await test.db.updateTable('locations').set({ reminder_hours: hours }).execute()
    return given
  }

  it('is sent once, at the location’s number of hours before the start', async () => {
    const given = await withReminder(24)
    await book(given)
    await runJobs()
    await settle()
    await remind('2026-11-22T06:59:00.000Z')
    expect(await listKinds()).toEqual(['booked sent'])
    await remind('2026-11-22T07:00:00.000Z')
    expect(await listKinds()).toEqual(['booked sent', 'reminder sent'])
    await remind('2026-11-22T09:00:00.000Z')
    expect(smtp.mails).toHaveLength(2)
    expect(smtp.mails[1]?.text).toContain('We expect you in Nest')
    expect(smtp.mails[1]?.source).not.toContain('text/calendar')
  })

  it('is sent again after a move, but not after a cancellation or check-in, or if the location has none', async () => {
    const given = await withReminder(2)
    const moved = await book(given)
    const cancelled = await book(given, { startTime: '2026-11-23T11:00:00.000Z', endTime: '2026-11-23T12:00:00.000Z' })
    await runJobs()
    await settle()
    await remind('2026-11-23T05:00:00.000Z')
    expect((await listKinds()).filter((kind) => kind.startsWith('reminder'))).toEqual(['reminder sent'])
    await move(await signedIn(given), moved._id, 15)
    await cancel(await signedIn(given), cancelled._id)
    await settle()
    await remind('2026-11-23T09:30:00.000Z')
    expect((await listKinds()).filter((kind) => kind.startsWith('reminder'))).toEqual(['reminder sent'])
    await remind('2026-11-23T11:00:00.000Z')
    expect((await listKinds()).filter((kind) => kind.startsWith('reminder'))).toEqual([
      'reminder sent',
      'reminder sent',
    ])

    const last = await book(await signedIn(given), {
      startTime: '2026-11-23T17:00:00.000Z',
      endTime: '2026-11-23T18:00:00.000Z',
    })
    await settle()
    await test.db.updateTable('locations').set({ reminder_hours: null }).execute()
    await remind('2026-11-23T13:30:00.000Z')
    await test.db.updateTable('locations').set({ reminder_hours: 2 }).execute()
    await test.db
      .updateTable('bookings')
      .set({ checked_in_at: test.clock.now(), checked_in_method: 'staff' })
      .where('id', '=', last._id)
      .execute()
    await remind('2026-11-23T13:40:00.000Z')
    expect((await listKinds()).filter((kind) => kind.startsWith('reminder'))).toHaveLength(2)
  })

  it('is not sent if another message was sent since it was due, or if the booking has begun', async () => {
    const given = await withReminder(24)
    await book(given, {
      bookingDate: '2026-11-21',
      startTime: '2026-11-21T14:00:00.000Z',
      endTime: '2026-11-21T15:00:00.000Z',
    })
    await runJobs()
    await settle()
    await remind('2026-11-21T10:00:00.000Z')
    expect(await listKinds()).toEqual(['booked sent'])
    const late = await buildBooking(test.db, { user_id: given.user.id, pod_id: given.pod.id })
    await remind('2026-11-23T07:00:00.000Z')
    expect(late.start_time).toEqual(new Date('2026-11-23T09:00:00.000Z'))
    expect(await listKinds()).toEqual(['booked sent'])
  })

  it('is not sent to a customer who was checked in while the mail server failed, nor once the booking has begun', async () => {
    const { user, pod, token } = await withReminder(2)
    const start_time = new Date('2026-11-21T12:30:00.000Z')
    const booked = { user_id: user.id, pod_id: pod.id, status: 'Confirmed' } as const
    const { id } = await buildBooking(test.db, { ...booked, start_time })
    await buildBooking(test.db, { ...booked, start_time: new Date('2026-11-21T11:15:00.000Z') })
    smtp.replies.mail = '451 4.3.0 busy'
    await runJobs()
    await test.database.notifications.notify('jobs')
    const failed = { last_error: '451 4.3.0 busy', lease_id: null }
    await expect.poll(readJobs).toMatchObject([failed, failed])
    const body = { method: 'staff', version: 1 }
    expect((await test.request(routes.bookingActions.checkIn, { token, params: { id }, body })).status).toBe(200)
    smtp.replies.mail = mail
    await settle(15 * 60 * SECOND)
    expect(await listKinds()).toEqual(['reminder outdated', 'reminder outdated'])
    expect(smtp.mails).toEqual([])
  })

  it('is sent to the new address when the address changed while the mail server failed', async () => {
    const { user, pod } = await withReminder(2)
    const start_time = new Date('2026-11-21T12:30:00.000Z')
    await buildBooking(test.db, { user_id: user.id, pod_id: pod.id, start_time, status: 'Confirmed' })
    smtp.replies.mail = '451 4.3.0 busy'
    await runJobs()
    await test.database.notifications.notify('jobs')
    await expect.poll(async () => (await readJobs())[0]?.last_error).toBe('451 4.3.0 busy')
    await expect.poll(async () => (await readJobs())[0]?.lease_id).toBeNull()
    await test.db.updateTable('users').set({ email: 'jb@example.com' }).execute()
    smtp.replies.mail = mail
    await settle(60 * SECOND)
    expect(await listKinds()).toEqual(['reminder outdated', 'reminder sent'])
    expect(smtp.mails).toMatchObject([{ to: 'jb@example.com' }])
  })

  it.runIf(process.env.TEST_ENGINE === 'postgres')(
    'is sent again for the new time of a booking that is moved while its reminder is written',
    async () => {
      const given = await withReminder(2)
      const { id } = await buildBooking(test.db, {
        user_id: given.user.id,
        pod_id: given.pod.id,
        start_time: new Date('2026-11-21T12:30:00.000Z'),
      })
      await queueReminders(test.context)
      const moving = await test.db.transaction().execute(async (tx) => {
        await sql`lock table message_templates`.execute(tx)
        await runJobs()
        // The message, and the sweep that looks for reminders.
        await untilSomeoneWaits(tx, 2)
        const moving = move(given, id, 15, '2026-11-21')
        const readVersion = () => tx.selectFrom('bookings').select('version').where('id', '=', id).executeTakeFirst()
        await expect.poll(readVersion).toEqual({ version: 2 })
        return { moving }
      })
      await moving.moving
      await settle()
      expect(await listKinds()).toEqual(['reminder sent', 'moved sent'])
      await remind('2026-11-21T11:00:00.000Z')
      expect(await listKinds()).toEqual(['reminder sent', 'moved sent', 'reminder sent'])
    },
  )

  it('is also sent, once, for bookings made elsewhere', async () => {
    const given = await withReminder(24)
    await buildBooking(test.db, { user_id: given.user.id, pod_id: given.pod.id })
    await runJobs()
    await remind('2026-11-22T08:00:00.000Z')
    await remind('2026-11-22T08:05:00.000Z')
    expect(await listKinds()).toEqual(['reminder sent'])
  })
})

describe('sending the code', () => {
  it('can be chosen when booking, and is refused for a customer without an address', async () => {
    const given = await setUp()
    await book(given, { sendCode: false })
    const own = { startTime: '2026-11-23T11:00:00.000Z', endTime: '2026-11-23T12:00:00.000Z', for: { kind: 'me' } }
    await book(given, { ...own, sendCode: true })
    await runJobs()
    await settle()
    const { email } = await test.db
      .selectFrom('staff')
      .select('email')
      .where('id', '=', given.staffId)
      .executeTakeFirstOrThrow()
    expect((await listMails()).map(({ kind, toEmail }) => [kind, toEmail])).toEqual([['booked', email]])
    const { user } = await setUp({ email: '' })
    const refused = await test.request(routes.bookings.createFor, {
      token: given.token,
      body: {
        podId: given.pod.id,
        bookingPurpose: 'meeting',
        bookingDate: '2026-11-25',
        startTime: '2026-11-25T09:00:00.000Z',
        endTime: '2026-11-25T10:00:00.000Z',
        for: { kind: 'customer', userId: user.id },
        sendCode: true,
      },
    })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'sendCode' }] } })
  })

  it('can be repeated from the booking, once per idempotency key, to the address shown beforehand', async () => {
    const given = await setUp()
    const { _id } = await book(given)
    await runJobs()
    await settle()
    const page = async () =>
      (await test.request(routes.bookingActions.get, { token: given.token, params: { id: _id } })).body
    expect(await page()).toMatchObject({
      sendsTo: 'johan@example.com',
      notifies: { to: 'johan@example.com', kinds: ['booked', 'moved', 'cancelled', 'reminder'] },
      messages: [{ kind: 'booked', state: 'sent', toEmail: 'johan@example.com' }],
    })
    const send = (key: string) =>
      test.request(routes.messages.sendAgain, {
        token: given.token,
        params: { id: _id },
        headers: { 'idempotency-key': key },
      })
    const first = await send('one')
    expect([first.status, first.body.messages]).toMatchObject([200, [{ state: 'queued' }, { state: 'sent' }]])
    await send('one')
    await settle(0)
    expect(await listKinds()).toEqual(['booked sent', 'booked sent'])
    await send('two')
    await settle(0)
    expect(smtp.mails).toHaveLength(3)
    const changes = await test.db
      .selectFrom('audit')
      .select(['action', 'reason'])
      .where('action', '=', 'send')
      .execute()
    expect(changes).toEqual([
      { action: 'send', reason: 'johan@example.com' },
      { action: 'send', reason: 'johan@example.com' },
    ])
    await cancel(given, _id)
    expect(await page()).toMatchObject({ sendsTo: null })
    expect((await send('three')).status).toBe(409)
  })

  it('is written once when it is asked for again before it was sent', async () => {
    const given = await setUp()
    const { _id } = await book(given)
    const send = () => test.request(routes.messages.sendAgain, { token: given.token, params: { id: _id } })
    expect([(await send()).status, (await send()).status]).toEqual([200, 200])
    expect(await listKinds()).toEqual(['booked queued'])
    await runJobs()
    await settle()
    expect(smtp.mails).toHaveLength(1)
  })

  it.runIf(process.env.TEST_ENGINE === 'postgres')(
    'is written once when it is asked for twice at the same time',
    async () => {
      const given = await setUp()
      const { _id } = await book(given)
      const send = () => test.request(routes.messages.sendAgain, { token: given.token, params: { id: _id } })
      const sent: ReturnType<typeof send>[] = []
      await test.db.transaction().execute(async (tx) => {
        await tx.selectFrom('jobs').select('id').where('kind', '=', 'customer message').forUpdate().execute()
        sent.push(send(), send())
        await untilSomeoneWaits(tx, 2)
      })
      expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200])
      expect(await listKinds()).toEqual(['booked queued'])
    },
  )

  it('is sent even if the first one was kept while there was no mail server', async () => {
    const given = await setUp()
    const { _id } = await book(given)
    await runJobs()
    await settle()
    await test.db.updateTable('mails').set({ state: 'kept', sent_at: null }).execute()
    await test.db.updateTable('told_bookings').set({ start_time: null, told_at: null }).execute()
    const sent = await test.request(routes.messages.sendAgain, { token: given.token, params: { id: _id } })
    expect([sent.status, sent.text]).toEqual([200, sent.text])
    await settle(0)
    expect(await listKinds()).toEqual(['booked kept', 'booked sent'])
    expect(smtp.mails).toHaveLength(2)
  })

  it('is allowed only for staff who may change the booking', async () => {
    const given = await setUp()
    const { _id } = await book(given)
    const other = await test.signIn([9])
    const send = (token: string) => test.request(routes.messages.sendAgain, { token, params: { id: _id } })
    expect((await send(other.token)).status).toBe(403)
    expect(await listMails()).toEqual([])
    expect((await send((await test.signIn([6])).token)).status).toBe(200)
    test.clock.set('2026-11-23T08:00:00.000Z')
    expect((await send((await test.signIn([6])).token)).status, 'at its end').toBe(409)
  })
})

describe('the preview of a move', () => {
  it('shows the address that will be notified, or none', async () => {
    const given = await setUp()
    const { _id } = await book(given)
    const preview = async (id = _id) =>
      (
        await test.request(routes.bookingActions.previewMove, {
          token: given.token,
          params: { id },
          body: {
            podId: given.pod.id,
            bookingDate: '2026-11-23',
            startTime: '2026-11-23T15:00:00.000Z',
            endTime: '2026-11-23T16:00:00.000Z',
          },
        })
      ).body.notifies
    expect(await preview()).toEqual({ to: 'johan@example.com' })
    const own = await buildBooking(test.db, { staff_id: given.staffId })
    expect(await preview(own.id)).toBeNull()
    await test.db.updateTable('message_templates').set({ is_enabled: false }).where('kind', '=', 'moved').execute()
    expect(await preview()).toBeNull()
    await test.db.updateTable('message_templates').set({ is_enabled: true }).execute()
    const { sendMail } = test.context
    test.context.sendMail = undefined
    expect(await preview()).toBeNull()
    test.context.sendMail = sendMail
  })
})
