import { describe, expect, it } from 'vitest'
import type { Template, Templates } from '#contract/messages.ts'
import { pageCodes } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { startJobs } from '#server/jobs/jobs.ts'
import { buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()

async function read(token: string): Promise<Templates> {
  const response = await test.request(routes.messages.templates, { token })
  expect(response.status).toBe(200)
  return response.body
}

const find = ({ templates }: Templates, kind: string) => templates.find((one) => one.kind === kind) as Template // all kinds exist

const set = (token: string, { _id, version }: Template, body: object) =>
  test.request(routes.messages.setTemplate, {
    token,
    params: { id: _id },
    body,
    headers: { 'if-match': String(version) },
  })

describe('message templates', () => {
  it('have default texts for four kinds of message, which staff can replace, undo and reset', async () => {
    const { token } = await test.signIn([8])
    const before = await read(token)
    expect(before.templates.map(({ kind, isEnabled, isDefault }) => [kind, isEnabled, isDefault])).toEqual(
      ['booked', 'moved', 'cancelled', 'reminder'].map((kind) => [kind, true, true]),
    )
    const booked = find(before, 'booked')
    const own = { subject: 'Welcome to {pod}', body: 'See you on {date}' }
    const changed = await set(token, booked, own)
    expect(find(changed.body, 'booked')).toMatchObject({ ...own, isDefault: false, version: 2 })
    const conflict = await set(token, booked, { subject: 'Other' })
    expect(conflict).toMatchObject({ status: 409, body: { code: 'record_changed', current: own } })
    const undo = await test.request(routes.audit.undo, { token, params: { id: String(changed.headers['x-undo-id']) } })
    expect(undo.status).toBe(200)
    expect(find(await read(token), 'booked')).toMatchObject({ subject: booked.subject, isDefault: true, version: 3 })
    const again = await set(token, { ...booked, version: 3 }, own)
    const reset = await set(token, find(again.body, 'booked'), { subject: null, body: booked.body })
    expect(find(reset.body, 'booked')).toMatchObject({ body: booked.body, subject: booked.subject, isDefault: true })
    const half = await set(token, find(reset.body, 'booked'), { subject: own.subject })
    expect(find(half.body, 'booked')).toMatchObject({ isDefault: false, body: booked.body })
    const history = await test.request(routes.audit.history, {
      token,
      query: { entity: 'template', id: booked._id },
    })
    expect(history.body).toHaveLength(5)
    expect(history.body[4]).toMatchObject({ action: 'edit', label: 'Message: booked', after: own })
  })

  it.each([
    [{ subject: 'Hello {nmae}' }, 'subject', '{nmae} is no placeholder'],
    [{ body: 'Hello {}' }, 'body', '{} is no placeholder'],
    [{ subject: 'Hello {name' }, 'subject', '{ is no placeholder'],
    [{ body: 'Hello {name}, your {pod}}' }, 'body', '} is no placeholder'],
    [{ body: 'See {constructor}' }, 'body', '{constructor} is no placeholder'],
    [{ subject: '  ' }, 'subject', 'Subject is required'],
    [{ body: 'x'.repeat(5001) }, 'body', 'Text may have at most 5000 characters'],
    [{ isEnabled: 'yes' }, 'isEnabled', 'isEnabled must be true or false'],
  ])('refuse %j with an error at its field', async (body, path, message) => {
    const { token } = await test.signIn([8])
    const response = await set(token, find(await read(token), 'moved'), body)
    expect(response.status).toBe(400)
    expect(response.body.errors).toEqual([{ path, message: expect.stringContaining(message) }])
  })

  it('require access to Assign Role', async () => {
    const { token } = await test.signIn(pageCodes.filter((page) => page !== 8))
    const admin = await test.signIn([8])
    const template = find(await read(admin.token), 'booked')
    const texts = { subject: 'a', body: 'b' }
    expect((await test.request(routes.messages.templates, { token })).status).toBe(403)
    expect((await set(token, template, texts)).status).toBe(403)
    const preview = { token, params: { id: template._id }, body: texts }
    expect((await test.request(routes.messages.preview, preview)).status).toBe(403)
    expect((await test.request(routes.messages.templates)).status).toBe(401)
  })

  it('let staff set the reminder hours of each location, or none', async () => {
    const { token } = await test.signIn([8])
    const { id } = await buildLocation(test.db)
    await buildLocation(test.db, { deleted_at: test.clock.now() })
    const remind = (reminderHours: unknown, version: number) =>
      test.request(routes.messages.setReminder, {
        token,
        params: { id },
        body: { reminderHours },
        headers: { 'if-match': String(version) },
      })
    const changed = await remind(24, 1)
    expect(changed.body.locations).toMatchObject([{ _id: id, reminderHours: 24, version: 2 }])
    expect((await remind(12, 1)).status).toBe(409)
    expect((await remind('', 2)).body.locations).toMatchObject([{ reminderHours: null }])
    for (const wrong of [0, 169, 1.5, 'soon']) {
      expect(await remind(wrong, 3)).toMatchObject({ status: 400, body: { errors: [{ path: 'reminderHours' }] } })
    }
  })
})

describe('reminders', () => {
  it('can be set for all locations at once, which is undone at once', async () => {
    const { token } = await test.signIn([8])
    await buildLocation(test.db, { reminder_hours: 12 })
    await buildLocation(test.db)
    await buildLocation(test.db, { reminder_hours: 24 })
    const deleted = await buildLocation(test.db, { deleted_at: test.clock.now() })
    const hours = async () => {
      const { body } = await test.request(routes.messages.templates, { token })
      return body.locations.map((one: { reminderHours: unknown; version: number }) => [one.reminderHours, one.version])
    }
    const before = await hours()
    const set = await test.request(routes.messages.setReminders, { token, body: { reminderHours: '24' } })
    expect(set.status).toBe(200)
    expect((await hours()).toSorted()).toEqual([
      [24, 1],
      [24, 2],
      [24, 2],
    ])
    const rows = await test.db.selectFrom('audit').select('entity_id').where('entity', '=', 'location').execute()
    expect(rows).toHaveLength(2)
    expect(rows).not.toContainEqual({ entity_id: deleted.id })
    expect(set.headers).toMatchObject({ 'x-undo-scope': 'request' })
    const undone = await test.request(routes.audit.undo, {
      token,
      params: { id: String(set.headers['x-undo-id']) },
      query: { scope: 'request' },
    })
    expect(undone.body.message).toBe('2 changes are undone')
    expect((await hours()).map(([one]: unknown[]) => one)).toEqual(before.map(([one]: unknown[]) => one))
    const wrong = await test.request(routes.messages.setReminders, { token, body: { reminderHours: 0 } })
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'reminderHours' }] } })
  })
})

describe('the preview of a message', () => {
  it('is identical to the mail that the customer gets', async () => {
    const { token } = await test.signIn()
    const user = await buildUser(test.db, { firstname: 'Johan & <Sons>' })
    const pod = await buildPod(test.db)
    const templates = await read(token)
    const texts = {
      subject: 'For {name}: {pod}',
      body: 'At {location}, {address}.\n\n{date}, {start} to {end}. {product}',
    }
    const booked = find(templates, 'booked')
    expect((await set(token, booked, texts)).status).toBe(200)
    const created = await test.request(routes.bookings.createFor, {
      token,
      body: {
        podId: pod.id,
        bookingPurpose: 'meeting',
        bookingDate: '2026-11-23',
        startTime: '2026-11-23T09:00:00.000Z',
        endTime: '2026-11-23T10:00:00.000Z',
        for: { kind: 'customer', userId: user.id },
      },
    })
    expect(created.status).toBe(201)
    const silent = { info: () => undefined, error: () => undefined }
    const stop = await startJobs(test.context, silent, test.database.notifications)
    await expect.poll(() => test.db.selectFrom('mails').select('state').execute()).toEqual([{ state: 'kept' }])
    await stop()
    const [{ _id: mailId } = { _id: '' }] = (await test.request(routes.mails.list, { token })).body
    const kept = (await test.request(routes.mails.get, { token, params: { id: mailId } })).body
    const preview = await test.request(routes.messages.preview, { token, params: { id: booked._id }, body: texts })
    expect(preview.body).toEqual({ subject: kept.subject, html: kept.html, text: kept.text, isExample: false })
    expect(kept.subject).toContain('For Johan & <Sons>')
  })

  it('shows an example of each kind when there is no upcoming booking, and refuses unknown placeholders', async () => {
    const { token } = await test.signIn([8])
    for (const { _id, kind, subject, body } of (await read(token)).templates) {
      const preview = await test.request(routes.messages.preview, {
        token,
        params: { id: _id },
        body: { subject, body },
      })
      expect(preview.body, kind).toMatchObject({
        isExample: true,
        subject: expect.stringContaining('Sunday, 22 November 2026'),
      })
      expect(preview.body.text).not.toMatch(/\{\w*\}|undefined|null/)
      expect(preview.body.text.includes('Saturday, 21 November 2026')).toBe(kind === 'moved')
      expect(preview.body.html.includes('<img')).toBe(kind !== 'cancelled')
    }
    const wrong = { subject: 'a', body: '{nobody}' }
    const [{ _id } = { _id: '' }] = (await read(token)).templates
    const refused = await test.request(routes.messages.preview, { token, params: { id: _id }, body: wrong })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'body' }] } })
  })
})
