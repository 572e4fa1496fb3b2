import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { lines, useCustomerMessages, visit } from '#server/testing/customer-messages.ts'
import { buildLocation, buildPod } from '#server/testing/factories.ts'

const { test, smtp, runJobs, settle, listMails, listKinds, readMail, setUp, book } = await useCustomerMessages()

type SetUp = Awaited<ReturnType<typeof setUp>>

describe('changes to many bookings at once', () => {
  /** Books a customer's series that begins on a Monday. */
  const bookSeries = ({ token, pod, user }: SetUp, more: object) =>
    test.request(routes.series.create, {
      token,
      body: {
        podId: pod.id,
        ...visit,
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
