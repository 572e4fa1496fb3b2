// @vitest-environment happy-dom
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { LiveEntity } from '#contract/audit-entities.ts'
import type { LiveEvent } from './live-stream.ts'
import { followChanges, showsOnly } from './live.ts'

let tell: (event: LiveEvent) => void = () => undefined

vi.mock('./live-stream.ts', () => ({
  startLive: (listener: typeof tell) => {
    tell = listener
    return () => undefined
  },
}))

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

const tellOf = (...entities: LiveEntity[]) =>
  tell({ event: 'changes', data: entities.map((entity) => ({ entity, id: '1', version: 2 })) })

it('changes of a kind that this version does not know leave the others of the same moment to be shown', async () => {
  const client = new QueryClient()
  client.setQueryData(['bookings', 'list'], [])
  followChanges(client)
  tellOf('robot' as LiveEntity, 'booking')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(client.getQueryState(['bookings', 'list'])?.isInvalidated).toBe(true)
})

it('a query that shows fewer kinds of records than its domain is refetched for these alone', async () => {
  const client = new QueryClient()
  const isOutdated = () => client.getQueryState(['dashboard', 'get'])?.isInvalidated
  const panel = new QueryObserver(client, { queryKey: ['dashboard', 'get'], meta: showsOnly(['pod']), enabled: false })
  onTestFinished(panel.subscribe(() => undefined))
  client.setQueryData(['dashboard', 'get'], [])
  client.setQueryData(['dashboard', 'today'], [])
  followChanges(client)
  tellOf('booking')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(isOutdated()).toBe(false)
  expect(client.getQueryState(['dashboard', 'today'])?.isInvalidated).toBe(true)
  tellOf('booking', 'pod')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(isOutdated()).toBe(true)
})

it('changes that keep coming do not cancel what is being fetched, and the last is shown', async () => {
  const client = new QueryClient()
  let changes = 0
  let cancelled = 0
  const shown: unknown[] = ['cached']
  client.setQueryData(['bookings', 'list'], 'cached')
  const list = new QueryObserver(client, {
    queryKey: ['bookings', 'list'],
    // Each response takes 1.5 seconds, and says how many changes there were when it was requested.
    queryFn: async ({ signal }) => {
      signal.addEventListener('abort', () => (cancelled += 1))
      const asked = changes
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      return asked
    },
  })
  onTestFinished(list.subscribe(({ data }) => data !== shown.at(-1) && shown.push(data)))
  followChanges(client)
  for (; changes < 20; changes += 1) {
    tellOf('booking')
    await vi.advanceTimersByTimeAsync(500)
  }
  expect(shown).toEqual(['cached', 0, 2, 15])
  await vi.advanceTimersByTimeAsync(10_000)
  expect(shown.at(-1)).toBe(20)
  expect(cancelled).toBe(0)
})
