import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { buildBooking, buildPod } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const at = (time: string) => `2026-11-23T${time}:00.000Z`

const listSlots = async (bookingId: string) =>
  (await test.db.selectFrom('booking_slots').selectAll().where('booking_id', '=', bookingId).execute())
    .map(({ slot_start, is_buffer }) => `${slot_start.toISOString().slice(11, 16)}${is_buffer ? ' cleaning' : ''}`)
    .sort()

describe('a pod with cleaning time', () => {
  it('keeps cleaning time after a booking that is extended, shortened or moved, and lets no booking overlap it', async () => {
    const { token } = await test.signIn([6, 9])
    const pod = await buildPod(test.db, { title: 'Nest', buffer_minutes: 30 })
    const other = await buildPod(test.db, { title: 'Roost', buffer_minutes: 15 })
    const book = async (from: string, to: string) => {
      const body = { bookingPurpose: 'work', bookingDate: '2026-11-23', startTime: at(from), endTime: at(to) }
      const response = await test.request(routes.bookings.create, { token, params: { podId: pod.id }, body })
      expect(response.status).toBe(201)
      return response.body.booking._id as string
    }
    const first = await book('10:00', '11:00')
    await book('13:00', '14:00')
    const move = (version: number, from: string, to: string, podId = pod.id) =>
      test.request(routes.bookingActions.move, {
        token,
        params: { id: first },
        body: { podId, bookingDate: '2026-11-23', startTime: at(from), endTime: at(to), version },
      })
    expect(await move(1, '10:00', '12:45')).toMatchObject({ status: 409, body: { code: 'buffer_taken' } })
    expect((await move(1, '10:00', '12:30')).status).toBe(200)
    const listHeld = async () => {
      const rows = await test.db
        .selectFrom('booking_slots')
        .innerJoin('pods', 'pods.id', 'booking_slots.pod_id')
        .select(['title', 'slot_start'])
        .where('booking_id', '=', first)
        .where('is_buffer', '=', true)
        .execute()
      return rows.map(({ title, slot_start }) => `${title} ${slot_start.toISOString().slice(11, 16)}`).sort()
    }
    expect(await listHeld()).toEqual(['Nest 12:30', 'Nest 12:45'])
    expect((await move(2, '10:00', '11:00')).status).toBe(200)
    expect(await listHeld()).toEqual(['Nest 11:00', 'Nest 11:15'])
    for (const [from, to, message] of [
      ['11:45', '12:45', 'Another booking begins within the 30 minutes of cleaning after this one.'],
      ['12:00', '13:00', 'Another booking begins within the 30 minutes of cleaning after this one.'],
      ['14:00', '15:00', 'The pod is being cleaned after another booking then.'],
    ] as const) {
      expect(await move(3, from, to)).toMatchObject({
        status: 409,
        body: { reasons: [{ code: 'buffer_taken', message }] },
      })
    }
    expect((await move(3, '15:00', '16:00')).status).toBe(200)
    expect(await listHeld()).toEqual(['Nest 16:00', 'Nest 16:15'])
    expect((await move(4, '15:00', '16:00', other.id)).status).toBe(200)
    expect(await listHeld()).toEqual(['Roost 16:00'])
  })

  it('lets a booking end early although the cleaning time no longer fits before the next one', async () => {
    const pod = await buildPod(test.db)
    const build = (from: string, to: string) =>
      buildBooking(test.db, { pod_id: pod.id, start_time: new Date(at(from)), end_time: new Date(at(to)) })
    const { id } = await build('10:00', '11:00')
    const next = await build('11:00', '12:00')
    await test.db.updateTable('pods').set({ buffer_minutes: 60 }).where('id', '=', pod.id).execute()
    // 10:20 at the pod
    test.clock.set('2026-11-23T08:20:00.000Z')
    const { token } = await test.signIn([6])
    const ended = await test.request(routes.bookingActions.end, { token, params: { id }, body: { version: 1 } })
    expect(ended.status, ended.text).toBe(200)
    expect(await listSlots(id)).toEqual(['10:00', '10:15', '10:30 cleaning', '10:45 cleaning'])
    expect(await listSlots(next.id)).toHaveLength(4)
  })

  it.each(['reinstate', 'undo'] as const)(
    'gives a booking its time back although the cleaning no longer fits before the next one: %s',
    async (how) => {
      const pod = await buildPod(test.db)
      const build = (from: string, to: string) =>
        buildBooking(test.db, { pod_id: pod.id, start_time: new Date(at(from)), end_time: new Date(at(to)) })
      const { id } = await build('10:00', '11:00')
      await build('11:15', '12:00')
      await test.db.updateTable('pods').set({ buffer_minutes: 30 }).where('id', '=', pod.id).execute()
      // 10:20 at the pod
      test.clock.set('2026-11-23T08:20:00.000Z')
      const { token } = await test.signIn([6])
      const ended = await test.request(routes.bookingActions.end, { token, params: { id }, body: { version: 1 } })
      const back =
        how === 'undo'
          ? test.request(routes.audit.undo, { token, params: { id: String(ended.headers['x-change-id']) } })
          : test.request(routes.bookingActions.reinstate, { token, params: { id }, body: { version: 2 } })
      expect((await back).status).toBe(200)
      expect(await listSlots(id)).toEqual(['10:00', '10:15', '10:30', '10:45', '11:00 cleaning'])
    },
  )

  it('lets a no-show be taken back after its end although its cleaning time has been booked', async () => {
    const pod = await buildPod(test.db, { buffer_minutes: 30 })
    // 10:05 at the pod
    test.clock.set('2026-11-23T08:05:00.000Z')
    const { token } = await test.signIn([6, 9])
    const book = async (from: string, to: string) => {
      const body = { bookingPurpose: 'work', bookingDate: '2026-11-23', startTime: at(from), endTime: at(to) }
      const response = await test.request(routes.bookings.create, { token, params: { podId: pod.id }, body })
      return response.body.booking._id as string
    }
    const id = await book('10:00', '10:30')
    const params = { id }
    const noShow = await test.request(routes.bookingActions.noShow, {
      token,
      params,
      body: { version: 1 },
    })
    expect(noShow.status, noShow.text).toBe(200)
    // Nobody was there, so that nothing has to be cleaned.
    expect(await listSlots(id)).toEqual([])
    await book('10:30', '11:00')
    test.clock.set('2026-11-23T08:40:00.000Z')
    const body = { version: 2 }
    const back = await test.request(routes.bookingActions.reinstate, { token, params, body })
    expect(back.status, back.text).toBe(200)
    expect(await listSlots(id)).toEqual(['10:00', '10:15'])
  })
})
