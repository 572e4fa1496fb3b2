import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SECOND } from '#contract/durations.ts'
import { routes } from '#contract/routes.ts'
import type { AppContext } from '#server/context.ts'
import { startJobs } from '#server/jobs/jobs.ts'
import { useCustomerMessages } from '#server/testing/customer-messages.ts'
import { buildCompany, buildLocation } from '#server/testing/factories.ts'
import { MailError } from '../mail/smtp.ts'
import { messageJob } from './messages.service.ts'

const { test, smtp, runJobs, readJobs, finish, settle, listMails, listKinds, setUp, book, move, cancel } =
  await useCustomerMessages()
const { recipient, mail } = smtp.replies

type SetUp = Awaited<ReturnType<typeof setUp>>

describe('a message to a customer that cannot be sent', () => {
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
    expect(await listMails()).toMatchObject([{ nextTryAt: (await readJobs())[0]?.run_at.toISOString() }])
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

  it('is followed by what has changed while it was sent, also when another server had taken its job meanwhile', async () => {
    const given = await setUp()
    const { _id } = await book(given)
    const [job] = await readJobs()
    const { sendMail } = test.context
    if (!job || !sendMail) throw new Error('A booking queues a message')
    const slow: AppContext['sendMail'] = async (message) => {
      await cancel(given, _id)
      await messageJob.run(test.context, job)
      await test.db.updateTable('jobs').set({ done_at: test.clock.now() }).execute()
      return sendMail(message)
    }
    await messageJob.run({ ...test.context, sendMail: slow }, job)
    expect(await listKinds()).toEqual(['booked sent'])
    await runJobs()
    await settle()
    expect(await listKinds()).toEqual(['booked sent', 'cancelled sent'])
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
    const retry = async (mail: { _id: string } | undefined) =>
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

  it('leaves no failed work that names the address of a customer who was erased while it was sent', async () => {
    const given = await setUp()
    await book(given)
    const sendMail: AppContext['sendMail'] = async ({ toEmail }) => {
      await test.db.updateTable('bookings').set({ status: 'Cancelled' }).execute()
      await test.db.updateTable('users').set({ deleted_at: test.clock.now() }).execute()
      const params = { id: given.user.id }
      expect((await test.request(routes.users.erase, { token: given.token, params })).status).toBe(200)
      throw new MailError(`550 <${toEmail}>: no such user`, true)
    }
    const error = vi.fn<() => void>()
    const log = { info: () => undefined, error }
    onTestFinished(await startJobs({ ...test.context, sendMail }, log, test.database.notifications))
    await test.database.notifications.notify('jobs')
    await expect.poll(() => error.mock.calls).toHaveLength(1)
    await expect.poll(async () => (await readJobs()).filter(({ lease_id }) => lease_id !== null)).toEqual([])
    expect(await readJobs()).toEqual([])
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

  it('is no failed work any more once a later message has replaced it', async () => {
    const given = await setUp()
    const { _id } = await book(given)
    await runJobs()
    await settle()
    smtp.replies.recipient = '550 5.2.2 mailbox full'
    const send = async (hour: number, kinds: string[]) => {
      await move(given, _id, hour)
      test.clock.set(new Date(test.clock.now().getTime() + 31 * SECOND))
      await test.database.notifications.notify('jobs')
      await expect.poll(listKinds).toEqual(kinds)
    }
    await send(11, ['booked sent', 'moved failed'])
    const listFailed = async () => (await test.request(routes.failedJobs.list, { token: given.token })).body
    expect(await listFailed()).toMatchObject([{ mail: { kind: 'moved' } }])
    smtp.replies.recipient = recipient
    await send(12, ['booked sent', 'moved outdated', 'moved sent'])
    expect(await listFailed()).toEqual([])
  })

  it('is replaced by the confirmation that staff send again, and leaves no failed work', async () => {
    const given = await setUp()
    const { _id } = await book(given)
    await runJobs()
    await settle()
    smtp.replies.recipient = '550 5.2.2 mailbox full'
    await move(given, _id, 11)
    test.clock.set(new Date(test.clock.now().getTime() + 31 * SECOND))
    await test.database.notifications.notify('jobs')
    await expect.poll(listKinds).toEqual(['booked sent', 'moved failed'])
    smtp.replies.recipient = recipient
    const again = await test.request(routes.messages.sendAgain, { token: given.token, params: { id: _id } })
    expect(again.status).toBe(200)
    await expect.poll(listKinds).toEqual(['booked sent', 'moved outdated', 'booked sent'])
    expect((await test.request(routes.failedJobs.list, { token: given.token })).body).toEqual([])
    const [, moved] = await listMails()
    const retry = await test.request(routes.mails.retry, { token: given.token, params: { id: moved?._id ?? '' } })
    expect(retry.status).toBe(409)
    expect(smtp.mails).toHaveLength(2)
  })
})
