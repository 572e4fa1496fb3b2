// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import type { LiveEntity } from '#contract/audit-entities.ts'
import type { LiveEvent } from './live-stream.ts'
import { followChanges } from './live.ts'

let tell: (event: LiveEvent) => void = () => undefined

vi.mock('./live-stream.ts', () => ({
  startLive: (listener: typeof tell) => {
    tell = listener
    return () => undefined
  },
}))

afterEach(() => {
  vi.useRealTimers()
})

it('changes of a kind that this version does not know leave the others of the same moment to be shown', () => {
  vi.useFakeTimers()
  const client = new QueryClient()
  client.setQueryData(['bookings', 'list'], [])
  followChanges(client)
  const changes = ['robot' as LiveEntity, 'booking' as const].map((entity) => ({ entity, id: '1', version: 2 }))
  tell({ event: 'changes', data: changes })
  vi.advanceTimersByTime(1_000)
  expect(client.getQueryState(['bookings', 'list'])?.isInvalidated).toBe(true)
})
