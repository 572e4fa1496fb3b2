import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { useCustomerMessages } from '#server/testing/customer-messages.ts'
import { untilSomeoneWaits } from '#server/testing/until-someone-waits.ts'

const { test, smtp, runJobs, settle, listMails, listKinds, setUp, book, cancel } = await useCustomerMessages()

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
        headers: { 'idempotency-key': key, 'x-request-id': `again-${key}` },
      })
    const first = await send('one')
    expect([first.status, first.body.messages]).toMatchObject([200, [{ state: 'queued' }, { state: 'sent' }]])
    await send('one')
    await settle(0)
    expect(await listKinds()).toEqual(['booked sent', 'booked sent'])
    await send('two')
    await settle(0)
    expect(smtp.mails).toHaveLength(3)
    const jobs = await test.db.selectFrom('jobs').select('request_id').where('kind', '=', 'customer message').execute()
    expect(jobs.map(({ request_id }) => request_id)).toEqual(expect.arrayContaining(['again-one', 'again-two']))
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
