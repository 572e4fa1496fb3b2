import { describe, expect, it } from 'vitest'
import { PAGE, pageCodes } from '#contract/pages.ts'
import { routes } from '#contract/routes.ts'
import { createSharedReads } from './shared-reads.ts'
import { buildBooking, buildLocation, buildPod } from './testing/factories.ts'
import { createHeldWork } from './testing/held-work.ts'
import { useTestApp } from './testing/test-app.ts'

const test = useTestApp()

describe('reads for several requests', () => {
  it('are shared by those that ask while another runs, and begin after all of them have asked', async () => {
    const shareRead = createSharedReads()
    const held = createHeldWork()
    let value = 1
    let reads = 0
    const read = async () => {
      reads += 1
      const found = value
      await held.work()
      return found
    }
    const first = shareRead(['a'], read)
    value = 2
    const second = shareRead(['a'], read)
    value = 3
    const third = shareRead(['a'], read)
    const other = shareRead(['b'], read)
    held.release()
    expect(await Promise.all([first, second, third, other])).toEqual([1, 3, 3, 3])
    expect(reads).toBe(3)
    expect(await shareRead(['a'], read)).toBe(3)
    expect(reads).toBe(4)
  })

  it('fail for those who share them, and not for those who ask later', async () => {
    const shareRead = createSharedReads()
    const failing = () => Promise.reject(new Error('broken'))
    const results = await Promise.allSettled([shareRead(['a'], failing), shareRead(['a'], failing)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await shareRead(['a'], async () => 'read')).toBe('read')
  })

  it('give each person what their own pages and locations allow, when all ask at the same time', async () => {
    test.clock.set('2026-11-23T06:00:00.000Z')
    const locations = [await buildLocation(test.db), await buildLocation(test.db)]
    for (const { id } of locations) {
      await buildBooking(test.db, { pod_id: (await buildPod(test.db, { location_id: id })).id })
    }
    const people = [
      await test.signIn(),
      await test.signIn([PAGE.dashboard, PAGE.bookings, PAGE.corporateBooking]),
      await test.signIn([PAGE.dashboard, PAGE.pods, PAGE.bookings]),
    ]
    for (const { id } of locations) people.push(await test.signIn(pageCodes, { location_ids: [id] }))
    for (const [route, query] of [
      [routes.schedule.get, { date: '2026-11-23' }],
      [routes.schedule.get, { date: '2026-11-24' }],
      [routes.dashboard.today, {}],
      [routes.dashboard.get, { panel: 'pods' }],
      [routes.dashboard.get, { panel: 'bookings' }],
      [routes.bookingActions.arrivals, {}],
    ] as const) {
      const ask = async ({ token, _id }: (typeof people)[number]) =>
        (await test.request(route, { token, query, params: { userId: _id } })).text
      const alone: string[] = []
      for (const person of people) alone.push(await ask(person))
      const asking = [...people, ...people, ...people]
      expect(await Promise.all(asking.map(ask)), route.path).toEqual([...alone, ...alone, ...alone])
    }
  })
})
