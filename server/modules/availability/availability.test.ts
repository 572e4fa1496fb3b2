import { describe, expect, it } from 'vitest'
import type { PageCode } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import {
  buildBooking,
  buildClosure,
  buildFeature,
  buildLocation,
  buildPod,
  buildUser,
} from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { findObstacles, findObstaclesOfEach } from './availability.ts'
import { findAlternatives } from './free-instead.ts'

const test = useTestApp()
const DAY = '2026-11-23'
const at = (mark: string, date = DAY) => `${date}T${mark}:00.000Z`

async function book(podId: string, from: string, to: string, pages: PageCode[] = [6, 9]) {
  const { token } = await test.signIn(pages)
  const body = { bookingPurpose: 'work', bookingDate: DAY, startTime: at(from), endTime: at(to) }
  return test.request(routes.bookings.create, { token, params: { podId }, body })
}

const hold = (podId: string, from: string, to: string, overrides: object = {}) =>
  buildBooking(test.db, { pod_id: podId, start_time: new Date(at(from)), end_time: new Date(at(to)), ...overrides })

describe('a refused booking', () => {
  it('lists every booking in the way, with details only for staff who may see bookings', async () => {
    const pod = await buildPod(test.db)
    const user = await buildUser(test.db, { firstname: 'Naledi', lastname: 'Dube' })
    const first = await hold(pod.id, '09:00', '10:00', { user_id: user.id })
    const second = await hold(pod.id, '10:30', '11:00')
    await hold(pod.id, '11:00', '12:00')
    const code = 'slot_taken'
    const message = 'Booking with the same date and time already exists'
    const seen = await book(pod.id, '09:45', '11:00')
    expect(seen).toMatchObject({ status: 409, body: { code, message } })
    expect(seen.body.reasons).toEqual([
      {
        code,
        message,
        booking: { _id: first.id, username: 'Naledi Dube', startTime: at('09:00'), endTime: at('10:00') },
      },
      { code, message, booking: expect.objectContaining({ _id: second.id }) },
    ])
    const hidden = await book(pod.id, '09:45', '11:00', [9])
    expect(hidden.body.reasons).toEqual([
      { code, message },
      { code, message },
    ])
  })

  it('lists all reasons at once, pod and location before the time', async () => {
    const location = await buildLocation(test.db, { is_blocked: true })
    const pod = await buildPod(test.db, { location_id: location.id, is_blocked: true })
    await hold(pod.id, '09:00', '10:00')
    const { status, body } = await book(pod.id, '09:00', '10:00')
    expect([status, body.code]).toEqual([409, 'pod_blocked'])
    expect(body.reasons.map((reason: { code: string }) => reason.code)).toEqual([
      'pod_blocked',
      'location_blocked',
      'slot_taken',
    ])
    expect(body.free.times).toEqual([])
  })

  it('offers the three nearest times of the same length in the pod, none that has passed', async () => {
    const pod = await buildPod(test.db)
    await hold(pod.id, '09:00', '11:00')
    const { body } = await book(pod.id, '10:15', '11:15')
    expect(body.free.times).toEqual([
      { startTime: at('11:00'), endTime: at('12:00') },
      { startTime: at('11:15'), endTime: at('12:15') },
      { startTime: at('11:30'), endTime: at('12:30') },
    ])
    test.clock.set('2026-11-23T21:30:00.000Z')
    await hold(pod.id, '23:30', '23:45')
    const late = await book(pod.id, '23:30', '23:45')
    expect(late.body.free.times.map(({ startTime }: { startTime: string }) => startTime)).toEqual([
      at('23:45'),
      at('06:00', '2026-11-24'),
      at('06:15', '2026-11-24'),
    ])
  })

  it('offers times within a week, and none beyond it', async () => {
    const offered = async (days: number) => {
      const pod = await buildPod(test.db)
      const starts = new Date(at('00:00'))
      await buildClosure(test.db, { podId: pod.id, starts, ends: new Date(starts.getTime() + days * 86_400_000) })
      return (await book(pod.id, '09:00', '10:00')).body.free.times
    }
    expect((await offered(6))[0]).toEqual({ startTime: at('06:00', '2026-11-29'), endTime: at('07:00', '2026-11-29') })
    expect(await offered(7)).toEqual([])
  })

  it('offers three pods free at that time, ranked by location, then city, then seats, then features', async () => {
    const location = await buildLocation(test.db, { name: 'Rosebank' })
    const here = { location_id: location.id }
    const pod = await buildPod(test.db, { ...here, capacity: 4 })
    const feature = await buildFeature(test.db)
    const equip = (pod_id: string) =>
      test.db.insertInto('pod_features').values({ pod_id, feature_id: feature.id, position: 0 }).execute()
    await equip(pod.id)
    const faraway = await buildLocation(test.db, { city: 'Durban' })
    await buildPod(test.db, { location_id: faraway.id, title: 'Faraway', capacity: 4 })
    await buildPod(test.db, { title: 'In the city', capacity: 2 })
    await buildPod(test.db, { ...here, title: 'Small', capacity: 2 })
    await buildPod(test.db, { ...here, title: 'Plain', capacity: 4 })
    await equip((await buildPod(test.db, { ...here, title: 'Same', capacity: 5 })).id)
    await buildPod(test.db, { ...here, title: 'Blocked', capacity: 4, is_blocked: true })
    const taken = await buildPod(test.db, { ...here, title: 'Taken', capacity: 4 })
    for (const { id } of [pod, taken]) await hold(id, '09:00', '10:00')
    const { body } = await book(pod.id, '09:00', '10:00')
    expect(body.free.pods.map(({ podTitle }: { podTitle: string }) => podTitle)).toEqual(['Same', 'Plain', 'Small'])
    const offered = { podId: expect.any(String), locationName: 'Rosebank' }
    expect(body.free.pods[0]).toEqual({ ...offered, podTitle: 'Same', fewerSeats: null })
    expect(body.free.pods[2]).toEqual({ ...offered, podTitle: 'Small', fewerSeats: 2 })
    for (const { podId } of body.free.pods.slice(0, 2)) await hold(podId, '09:00', '10:00')
    const later = await book(pod.id, '09:00', '10:00')
    expect(later.body.free.pods.map(({ podTitle }: { podTitle: string }) => podTitle)).toEqual([
      'Small',
      'In the city',
      'Faraway',
    ])
  })

  it('offers the pod with the same features first, however many others are of the same size', async () => {
    const location = await buildLocation(test.db)
    const here = { location_id: location.id, capacity: 4 }
    const pod = await buildPod(test.db, here)
    const same = await buildPod(test.db, { ...here, title: 'Zulu', capacity: 5 })
    const feature = await buildFeature(test.db)
    const equipped = [pod, same].map(({ id }) => ({ pod_id: id, feature_id: feature.id, position: 0 }))
    await test.db.insertInto('pod_features').values(equipped).execute()
    for (let index = 0; index < 60; index++) await buildPod(test.db, { ...here, title: `Pod ${index}` })
    await hold(pod.id, '09:00', '10:00')
    const { body } = await book(pod.id, '09:00', '10:00')
    expect(body.free.pods[0].podId).toBe(same.id)
  })
})

it('finds the obstacles for many intervals at once, ignoring the booking that moves', async () => {
  const pod = await buildPod(test.db)
  const booking = await hold(pod.id, '09:00', '10:00')
  const other = await hold(pod.id, '10:00', '11:00')
  const interval = (from: string, to: string, podId = pod.id) => ({
    podId,
    start: new Date(at(from)),
    end: new Date(at(to)),
    exceptBookingId: booking.id,
  })
  const wanted = [
    interval('09:00', '10:00'),
    interval('09:30', '10:30'),
    interval('09:10', '09:30'),
    interval('12:00', '13:00', other.id),
  ]
  const options = { now: new Date(at('08:00')), pages: [6] }
  const found = await findObstaclesOfEach(test.db, wanted, options)
  expect(found.map((obstacles) => obstacles.map(({ code, booking }) => [code, booking?._id]))).toEqual([
    [],
    [['slot_taken', other.id]],
    [['slot_grid', undefined]],
    [['not_found', undefined]],
  ])
  expect(await findObstacles(test.db, interval('09:00', '10:15'), options)).toMatchObject([{ code: 'slot_taken' }])
  const { times } = await findAlternatives(test.db, interval('09:30', '10:30'), options)
  expect(times[0]).toEqual({ startTime: at('09:00'), endTime: at('10:00') })
})

it('offers a booking that moves neither the time nor the pod where it is', async () => {
  const pod = await buildPod(test.db)
  const [taken, spare] = [
    await buildPod(test.db, { location_id: pod.location_id }),
    await buildPod(test.db, { location_id: pod.location_id }),
  ]
  const booking = await hold(pod.id, '09:00', '10:00')
  await hold(pod.id, '10:00', '11:00')
  await hold(taken.id, '09:00', '10:00')
  const current = { podId: pod.id, start: new Date(at('09:00')), end: new Date(at('10:00')) }
  const options = { now: new Date(at('06:00')), pages: [6], current }
  const later = { ...current, start: new Date(at('09:30')), end: new Date(at('10:30')), exceptBookingId: booking.id }
  const { times } = await findAlternatives(test.db, later, options)
  expect(times.map(({ startTime }) => startTime)).toEqual([at('08:45'), at('08:30'), at('08:15')])
  const elsewhere = { ...current, podId: taken.id, exceptBookingId: booking.id }
  expect((await findAlternatives(test.db, elsewhere, options)).pods.map(({ podId }) => podId)).toEqual([spare.id])
})
