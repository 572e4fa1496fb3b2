// @vitest-environment happy-dom
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from './query-client.ts'
import { apiQuery } from './query.ts'

const fetched = vi.fn<typeof fetch>()

function respondOverloaded(retryAfter?: string, status = 503) {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  const body = '{"message":"The server is busy. Try again in a moment.","code":"overloaded"}'
  fetched.mockImplementation(async () => new Response(body, { status, headers }))
}

/** Reads as a screen does. Returns 'read' or the error's message. */
function readFeatures(): Promise<string> {
  const observer = new QueryObserver(queryClient, apiQuery('features', 'list'))
  return new Promise((resolve) => {
    const stop = observer.subscribe(({ isPending, error }) => {
      if (isPending) return
      stop()
      resolve(error?.message ?? 'read')
    })
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => {
  queryClient.clear()
  fetched.mockReset()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('retries a query at most twice, each time after the Retry-After of an overloaded server', async () => {
  respondOverloaded('30')
  const outcome = readFeatures()
  await vi.advanceTimersByTimeAsync(29_990)
  expect(fetched).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(20)
  expect(fetched).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(30_010)
  expect(fetched).toHaveBeenCalledTimes(3)
  expect(await outcome).toContain('The server is busy.')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fetched).toHaveBeenCalledTimes(3)
})

test('succeeds when the server is no longer overloaded', async () => {
  respondOverloaded('1')
  const outcome = readFeatures()
  await vi.advanceTimersByTimeAsync(500)
  fetched.mockImplementation(async () => new Response('[]'))
  await vi.advanceTimersByTimeAsync(600)
  expect(await outcome).toBe('read')
  expect(fetched).toHaveBeenCalledTimes(2)
})

test('fails at once when the Retry-After is too long', async () => {
  respondOverloaded('120')
  expect(await readFeatures()).toContain('The server is busy.')
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('waits half a second, then a whole second, when there is no Retry-After', async () => {
  respondOverloaded(undefined, 500)
  const outcome = readFeatures()
  await vi.advanceTimersByTimeAsync(510)
  expect(fetched).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(1_010)
  expect(fetched).toHaveBeenCalledTimes(3)
  await outcome
})
