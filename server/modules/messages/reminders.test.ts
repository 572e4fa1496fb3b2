import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { SECOND } from '#contract/durations.ts'
import { routes } from '#contract/routes.ts'
import { useCustomerMessages } from '#server/testing/customer-messages.ts'
import { buildBooking, buildSeries } from '#server/testing/factories.ts'
import { untilSomeoneWaits } from '#server/testing/until-someone-waits.ts'
import { queueReminders } from './messages.service.ts'

const { test, smtp, runJobs, readJobs, settle, remind, signedIn, listKinds, setUp, book, move, cancel } =
  await useCustomerMessages()
const { mail } = smtp.replies

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
      const { id, series_id } = await buildSeries(test.db, {
        staff_id: null,
        user_id: given.user.id,
        pod_id: given.pod.id,
        start_time: new Date('2026-11-21T12:30:00.000Z'),
        end_time: new Date('2026-11-21T13:30:00.000Z'),
      })
      await queueReminders(test.context)
      const moving = await test.db.transaction().execute(async (tx) => {
        await sql`lock table message_templates`.execute(tx)
        await runJobs()
        // The message, and the sweep that looks for reminders.
        await untilSomeoneWaits(tx, 2)
        // As one of a series, whose response reads no templates.
        const moving = test.request(routes.series.update, {
          token: given.token,
          params: { id: series_id ?? '' },
          query: { scope: 'all' },
          headers: { 'if-match': '*' },
          body: { startTime: '2026-11-21T15:00:00.000Z', endTime: '2026-11-21T16:00:00.000Z' },
        })
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
