import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { buildLocation, buildPod } from '#server/testing/factories.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { followAllClosures } from './blocking.ts'

/** In London clocks go forward on 28 March 2027 at 1:00, and back on 31 October at 2:00. */
const test = useTestApp({ BUSINESS_TIME_ZONE: 'Europe/London' })

async function close(now: string, body: object) {
  test.clock.set(now)
  const { token } = await test.signIn([3])
  const response = await test.request(routes.closures.create, { token, body: { reason: 'Painting', ...body } })
  expect(response.status, response.text).toBe(201)
  return response.body
}

async function stateAt(now: string): Promise<string> {
  test.clock.set(now)
  const { token } = await test.signIn([3])
  return (await test.request(routes.closures.list, { token, query: { page: '1' } })).body[0].state
}

describe('a closure when clocks change', () => {
  it('begins and ends by the wall clock on the day that clocks go forward', async () => {
    const pod = await buildPod(test.db)
    const times = { starts: '2027-03-28T02:00:00.000Z', ends: '2027-03-28T09:00:00.000Z' }
    await close('2027-03-27T12:00:00.000Z', { podIds: [pod.id], ...times })
    expect(await stateAt('2027-03-28T00:59:00.000Z')).toBe('upcoming')
    expect(await stateAt('2027-03-28T01:00:00.000Z')).toBe('now')
    expect(await stateAt('2027-03-28T07:59:00.000Z')).toBe('now')
    expect(await stateAt('2027-03-28T08:00:00.000Z')).toBe('over')
  })

  it('covers both occurrences of the hour that is repeated when clocks go back', async () => {
    const pod = await buildPod(test.db)
    const times = { starts: '2027-10-31T01:00:00.000Z', ends: '2027-10-31T02:00:00.000Z' }
    await close('2027-10-30T12:00:00.000Z', { podIds: [pod.id], ...times })
    expect(await stateAt('2027-10-30T23:59:00.000Z')).toBe('upcoming')
    expect(await stateAt('2027-10-31T00:30:00.000Z')).toBe('now')
    expect(await stateAt('2027-10-31T01:30:00.000Z')).toBe('now')
    expect(await stateAt('2027-10-31T02:00:00.000Z')).toBe('over')
  })

  it('repeats at the same wall-clock time, and blocks from its start if it has no end', async () => {
    const pod = await buildPod(test.db)
    const times = { starts: '2027-03-27T08:00:00.000Z', ends: '2027-03-27T10:00:00.000Z', repeats: 'FREQ=DAILY' }
    await close('2027-03-26T12:00:00.000Z', { podIds: [pod.id], ...times })
    const book = async (from: string, to: string) => {
      const { token } = await test.signIn([9])
      const at = (mark: string) => `2027-03-29T${mark}:00.000Z`
      const body = { bookingPurpose: 'work', bookingDate: '2027-03-29', startTime: at(from), endTime: at(to) }
      return (await test.request(routes.bookings.create, { token, params: { podId: pod.id }, body })).status
    }
    expect(await book('09:45', '10:15')).toBe(409)
    expect(await book('10:00', '11:00')).toBe(201)
    expect(await book('07:00', '08:00')).toBe(201)

    const { id } = await buildLocation(test.db)
    await close('2027-03-27T12:00:00.000Z', { locationId: id, starts: '2027-03-28T09:00:00.000Z' })
    const followAt = (now: string) => {
      test.clock.set(now)
      return followAllClosures(test.context)
    }
    expect(await followAt('2027-03-28T07:59:00.000Z')).toBe(0)
    expect(await followAt('2027-03-28T08:00:00.000Z')).toBe(1)
  })

  it.each(['pod', 'location'] as const)(
    'keeps a %s blocked that was blocked in the repeated hour, until it is unblocked',
    async (entity) => {
      const pod = await buildPod(test.db)
      const [domain, id] = entity === 'pod' ? (['pods', pod.id] as const) : (['locations', pod.location_id] as const)
      const setBlocked = async (now: string, action: 'block' | 'unblock') => {
        test.clock.set(now)
        const { token } = await test.signIn([3, 7])
        const { status } = await test.request(routes[domain][action], { token, params: { id } })
        expect([status, await followAllClosures(test.context)]).toEqual([200, 0])
      }
      await setBlocked('2027-10-31T00:30:00.000Z', 'block')
      test.clock.set('2027-10-31T01:10:00.000Z')
      expect(await followAllClosures(test.context)).toBe(0)
      await setBlocked('2027-10-31T01:10:00.000Z', 'block')
      await setBlocked('2027-10-31T01:15:00.000Z', 'unblock')
      test.clock.set('2027-10-31T02:00:00.000Z')
      expect(await followAllClosures(test.context)).toBe(0)
      expect(await bookAt(pod.id, '2027-11-01')).toBe(201)
    },
  )
})

async function bookAt(podId: string, date: string): Promise<number> {
  const { token } = await test.signIn([9])
  const times = { startTime: `${date}T09:00:00.000Z`, endTime: `${date}T10:00:00.000Z` }
  const body = { bookingPurpose: 'work', bookingDate: date, ...times }
  return (await test.request(routes.bookings.create, { token, params: { podId }, body })).status
}
