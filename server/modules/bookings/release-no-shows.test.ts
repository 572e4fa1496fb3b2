import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { at, DAY, toInterval, useBookingDay } from '#server/testing/booking-day.ts'
import { buildPod } from '#server/testing/factories.ts'
import { releaseNoShows } from './arrivals.service.ts'

const { test, setClock, buildSold, ask, undo, expectSound } = useBookingDay()
const actions = routes.bookingActions

describe('the automatic release of no-shows', () => {
  it('happens after the minutes set for the location, and never where it is off or after a check-in', async () => {
    const { token } = await test.signIn([6])
    const released = await buildSold('11:00', '12:00', { status: 'Processing' })
    const checkedIn = await buildSold('11:00', '12:00', { status: 'Processing' })
    await ask(actions.checkIn, token, checkedIn.id, { version: 1, method: 'staff' })
    const later = await buildSold('11:15', '12:00')
    await test.db.updateTable('locations').set({ no_show_minutes: 15 }).execute()
    const off = await buildSold('11:00', '12:00', { status: 'Processing' })
    setClock('11:14')
    expect(await releaseNoShows(test.context)).toBe(0)
    setClock('11:15')
    expect(await releaseNoShows(test.context)).toBe(1)
    expect(await releaseNoShows(test.context)).toBe(0)
    const rows = await test.db.selectFrom('bookings').select(['id', 'no_show_at']).execute()
    expect(rows.filter(({ no_show_at }) => no_show_at !== null).map(({ id }) => id)).toEqual([released.id])
    expect([later.id, off.id]).not.toContain(released.id)
    const history = await test.request(routes.audit.history, { token, query: { entity: 'booking', id: released.id } })
    expect(history.body[0]).toMatchObject({
      action: 'no-show',
      actor: { kind: 'system' },
      reason: 'Nobody came within 15 minutes',
    })
    await expectSound()
  })

  it('does not happen to bookings that had begun when the minutes were set, or their pod came to the location', async () => {
    const { token } = await test.signIn()
    const running = await buildSold('11:00', '12:00')
    const later = await buildSold('12:00', '13:00', { pod_id: running.pod_id })
    const moved = await buildSold('11:00', '12:00')
    setClock('11:30')
    const params = { id: running.location_id }
    const set = await test.request(actions.setLocationPolicy, {
      token,
      params,
      body: { noShowMinutes: 15 },
      headers: { 'if-match': '1' },
    })
    expect(set.status).toBe(200)
    const edit = { params: { id: moved.pod_id }, body: { location: running.location_id } }
    expect((await test.request(routes.pods.update, { token, ...edit })).status).toBe(200)
    for (const [time, released] of [
      ['11:59', 0],
      ['12:15', 1],
    ] as const) {
      setClock(time)
      expect([time, await releaseNoShows(test.context)]).toEqual([time, released])
    }
    expect((await ask(actions.get, token, later.id)).body.noShowAt).not.toBeNull()
  })

  it('counts the minutes from when the server was started, if that was after the start', async () => {
    await buildSold('11:00', '12:00', { status: 'Processing' })
    await test.db.updateTable('locations').set({ no_show_minutes: 15 }).execute()
    setClock('11:40')
    const restarted = { ...test.context, uptime: { since: test.clock.now() } }
    for (const [time, released] of [
      ['11:40', 0],
      ['11:54', 0],
      ['11:55', 1],
    ] as const) {
      setClock(time)
      expect([time, await releaseNoShows(restarted)]).toEqual([time, released])
    }
  })

  it('does not happen again after staff have taken the no-show back', async () => {
    const { token } = await test.signIn([6])
    const byClock = await buildSold('11:00', '12:00', { status: 'Processing' })
    const byStaff = await buildSold('11:00', '12:00', { status: 'Processing' })
    await test.db.updateTable('locations').set({ no_show_minutes: 15 }).execute()
    setClock('11:05')
    const marked = await ask(actions.noShow, token, byStaff.id, { version: 1 })
    expect((await undo(token, marked.headers['x-undo-id'])).status).toBe(200)
    setClock('11:16')
    expect(await releaseNoShows(test.context)).toBe(1)
    expect((await ask(actions.reinstate, token, byClock.id, { version: 2 })).status).toBe(200)
    setClock('11:59')
    expect(await releaseNoShows(test.context)).toBe(0)
  })

  it('counts the minutes from when the booking was made, moved or reinstated, if that was after its start', async () => {
    const { token } = await test.signIn()
    const moved = await buildSold('14:00', '15:00')
    const cancelled = await buildSold('11:00', '12:00')
    const extended = await buildSold('11:00', '12:00', { status: 'Processing' })
    const pod = await buildPod(test.db)
    await test.db.updateTable('locations').set({ no_show_minutes: 10 }).execute()
    expect((await ask(actions.cancel, token, cancelled.id, { version: 1, reason: 'x' })).status).toBe(200)
    setClock('11:13')
    const visit = { podId: pod.id, bookingDate: DAY, startTime: at('11:00'), endTime: at('12:00') }
    const body = { ...visit, bookingPurpose: 'work', for: { kind: 'newCustomer', firstname: 'Zinhle', mobile: '1' } }
    expect((await test.request(routes.bookings.createFor, { token, body })).status).toBe(201)
    expect((await ask(actions.move, token, moved.id, toInterval(moved.pod_id, '11:00', '12:00'))).status).toBe(200)
    expect((await ask(actions.reinstate, token, cancelled.id, { version: 2 })).status).toBe(200)
    expect((await ask(actions.move, token, extended.id, toInterval(extended.pod_id, '11:00', '12:15'))).status).toBe(
      200,
    )
    for (const [time, released] of [
      ['11:22', 0],
      ['11:23', 4],
    ] as const) {
      setClock(time)
      expect([time, await releaseNoShows(test.context)]).toEqual([time, released])
    }
    await expectSound()
  })

  it('counts the minutes from when another system made the booking, if that was after its start', async () => {
    setClock('11:12')
    await buildSold('11:00', '12:00', { status: 'Pending', created_at: test.clock.now() })
    await test.db.updateTable('locations').set({ no_show_minutes: 10 }).execute()
    for (const [time, released] of [
      ['11:21', 0],
      ['11:22', 1],
    ] as const) {
      setClock(time)
      expect([time, await releaseNoShows(test.context)]).toEqual([time, released])
    }
  })

  it('counts the minutes from when a check-in or an early end was taken back', async () => {
    const { token } = await test.signIn()
    const [checkedIn, ended] = [await buildSold('11:00', '12:00'), await buildSold('11:00', '12:00')]
    await test.db.updateTable('locations').set({ no_show_minutes: 10 }).execute()
    setClock('11:05')
    await ask(actions.checkIn, token, checkedIn.id, { version: 1, method: 'staff' })
    const end = await ask(actions.end, token, ended.id, { version: 1 })
    setClock('11:30')
    const back = await ask(actions.undoCheckIn, token, checkedIn.id, undefined, { 'if-match': '2' })
    expect([back.status, (await undo(token, end.headers['x-undo-id'])).status]).toEqual([200, 200])
    for (const [time, released] of [
      ['11:39', 0],
      ['11:40', 2],
    ] as const) {
      setClock(time)
      expect([time, await releaseNoShows(test.context)]).toEqual([time, released])
    }
  })
})
