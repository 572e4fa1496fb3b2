import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { buildBooking, buildPod } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()
const at = (time: string) => `2026-11-23T${time}:00.000Z`

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
    expect(await move(3, '11:45', '12:45')).toMatchObject({ status: 409, body: { code: 'buffer_taken' } })
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
    const listSlots = async (bookingId: string) =>
      (await test.db.selectFrom('booking_slots').selectAll().where('booking_id', '=', bookingId).execute())
        .map(({ slot_start, is_buffer }) => `${slot_start.toISOString().slice(11, 16)}${is_buffer ? ' cleaning' : ''}`)
        .sort()
    expect(await listSlots(id)).toEqual(['10:00', '10:15', '10:30 cleaning', '10:45 cleaning'])
    expect(await listSlots(next.id)).toHaveLength(4)
  })
})
