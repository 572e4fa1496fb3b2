import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { lines, useCustomerMessages } from '#server/testing/customer-messages.ts'
import { buildBooking, buildCompany, buildLocation, buildPod, buildUser } from '#server/testing/factories.ts'

const {
  test,
  smtp,
  runJobs,
  readJobs,
  settle,
  signedIn,
  listMails,
  listKinds,
  readMail,
  setUp,
  book,
  move,
  versionOf,
  cancel,
} = await useCustomerMessages()

type SetUp = Awaited<ReturnType<typeof setUp>>

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

  it('names a company without a contact in the texts of staff, and greets nobody by name', async () => {
    const given = await setUp()
    const company = await buildCompany(test.db, { name: 'Baobab', contact_name: '' })
    const texts = { subject: 'For {name}', body: 'Dear {name}, welcome.' }
    await test.db.updateTable('message_templates').set(texts).where('kind', '=', 'booked').execute()
    await book(given, { for: { kind: 'company', companyId: company.id } })
    await runJobs()
    await settle()
    expect(smtp.mails[0]?.subject).toBe('For Baobab')
    expect(smtp.mails[0]?.text).toMatch(/^Hello,\s+Dear Baobab, welcome\./)
  })

  it.each(['company', 'customer'] as const)(
    'tells a %s that was deleted meanwhile what they have missed, and nothing twice',
    async (kind) => {
      const given = await setUp()
      const company = await buildCompany(test.db, { email: 'office@baobab.example' })
      const ids = { company: company.id, customer: given.user.id }
      const who = kind === 'company' ? { kind, companyId: company.id } : { kind, userId: given.user.id }
      const { _id } = await book(given, { for: who })
      const params = { id: ids[kind] }
      const whileDeleted = async (change: () => Promise<{ status: number }>) => {
        const remove = kind === 'company' ? routes.companies.delete : routes.users.delete
        expect((await test.request(remove, { token: given.token, params, headers: { 'if-match': '*' } })).status).toBe(
          200,
        )
        expect((await change()).status).toBe(200)
        await settle()
        const restore = { token: given.token, params, body: { entity: kind } }
        expect((await test.request(routes.audit.restore, restore)).status).toBe(200)
      }
      const reinstate = async () =>
        test.request(routes.bookingActions.reinstate, {
          token: given.token,
          params: { id: _id },
          body: { version: await versionOf(_id) },
        })
      await runJobs()
      await settle()
      await whileDeleted(() => cancel(given, _id))
      expect((await reinstate()).status).toBe(200)
      await settle()
      expect(await listKinds()).toEqual(['booked sent'])
      await cancel(given, _id)
      await settle()
      await whileDeleted(reinstate)
      await cancel(given, _id)
      await settle()
      expect(await listKinds()).toEqual(['booked sent', 'cancelled sent'])
      await whileDeleted(reinstate)
      await settle()
      expect(await listKinds()).toEqual(['booked sent', 'cancelled sent', 'booked sent'])
    },
  )

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

  it('takes a booking back as its customer knows it when it was moved and cancelled at once', async () => {
    const given = await setUp()
    const there = await buildLocation(test.db, { name: 'Sandton', street: '5 Maude Street' })
    const other = await buildPod(test.db, { title: 'Den', location_id: there.id })
    const { _id } = await book(given)
    await runJobs()
    await settle()
    await move({ ...given, pod: other }, _id, 15)
    await cancel(given, _id)
    await settle()
    const [, cancelled] = await listMails()
    expect(cancelled?.subject).toBe('Cancelled: Nest on Monday, 23 November 2026')
    const { text, calendar } = await readMail(cancelled?._id ?? '')
    expect(text).toContain(
      'Your booking of Nest at Waterfront on Monday, 23 November 2026 from 9:00 AM to 10:00 AM was',
    )
    expect(text).toContain('19 Dock Road')
    expect(text).not.toMatch(/Den|Sandton|Maude|3:00 PM/)
    expect(lines(calendar)).toEqual(
      expect.arrayContaining([
        `UID:${_id}`,
        'METHOD:CANCEL',
        'SEQUENCE:2',
        'SUMMARY:Nest\\, Waterfront',
        'DTSTART;TZID=Africa/Johannesburg:20261123T090000',
      ]),
    )
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

describe('the preview of the message ‘moved’', () => {
  it('says that a booking that its customer knows was on the day before, not that it was as it is', async () => {
    const given = await setUp()
    await book(given)
    await runJobs()
    await settle()
    const { templates } = (await test.request(routes.messages.templates, { token: given.token })).body
    const { _id, subject, body } = templates.find((one: { kind: string }) => one.kind === 'moved')
    const request = { token: given.token, params: { id: _id }, body: { subject, body } }
    const { text } = (await test.request(routes.messages.preview, request)).body
    expect(text).toContain('Before: Sunday, 22 November 2026, 9:00 AM – 10:00 AM in Nest')
  })
})
