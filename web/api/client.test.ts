// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LoginResponse } from '#contract/auth.ts'
import { ApiError } from './api-error.ts'
import { api, urlOf } from './client.ts'
import { endSession, getSession, startSession } from './session.ts'

const fetched = vi.fn<typeof fetch>()

function response(body: unknown, init: ResponseInit = {}) {
  fetched.mockResolvedValueOnce(new Response(typeof body === 'string' ? body : JSON.stringify(body), init))
}

function startAs(token: string) {
  // These tests need only these two fields.
  startSession({ token, auth_page: ['2'] } as LoginResponse)
}

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ApiError) return error
  throw new Error(`Not an ApiError: ${String(error)}`)
}

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
  endSession('signed-out')
})
afterEach(() => {
  vi.useRealTimers()
  sessionStorage.clear()
  fetched.mockReset()
  vi.unstubAllGlobals()
})

test('builds method, path and body from the contract, and sends the bearer token', async () => {
  startAs('secret')
  response({ _id: 'a b' })
  await api('features', 'update', { params: { id: 'a/b' }, body: { name: 'Wi-Fi' } })
  const [url, init] = fetched.mock.calls[0] ?? []
  expect(url).toBe('/api/location/edit-feature/a%2Fb')
  expect(init).toMatchObject({
    method: 'PUT',
    body: '{"name":"Wi-Fi"}',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
  })
})

test('leaves empty values out of the query', () => {
  const route = { method: 'GET', path: '/x', access: 'session', locations: 'none', summary: '' } as const
  expect(urlOf(route, {}, { page: 1, search: '', status: undefined, sort: '-name' })).toBe('/api/x?page=1&sort=-name')
  expect(urlOf(route, {}, { search: '' })).toBe('/api/x')
})

test('reads the total of a list, and sends no token to an endpoint that needs none', async () => {
  startAs('secret')
  response([{ _id: '1' }], { headers: { 'x-total-count': '73' } })
  expect(await api('features', 'list', { query: { page: 1, limit: 1 } })).toEqual({
    data: [{ _id: '1' }],
    total: 73,
    isAtLeast: false,
    similarTo: undefined,
  })
  response({ token: 't' })
  await api('auth', 'login', { body: { email: 'a', password: 'b' } })
  expect(fetched.mock.calls[1]?.[1]?.headers).not.toHaveProperty('authorization')
})

test('reads a missing total, a total that is only a minimum, and whether results are fuzzy matches', async () => {
  startAs('secret')
  response([], { headers: { 'x-search-match': 'alike' } })
  const found = await api('users', 'list', { query: { page: 1, search: 'mokeona' } })
  expect(found).toEqual({ data: [], total: undefined, isAtLeast: false, similarTo: 'mokeona' })
  expect(fetched.mock.calls[0]?.[0]).toBe('/api/user/all-users?page=1&search=mokeona')
  response([], { headers: { 'x-total-count': '10000+' } })
  expect(await api('users', 'list')).toMatchObject({ total: 10_000, isAtLeast: true })
  response([], { headers: { 'x-total-count': '0' } })
  expect((await api('users', 'list', { query: { page: 1, search: 'mokoena' } })).similarTo).toBeUndefined()
})

test('turns an error response into an ApiError with all its details', async () => {
  const fields = [{ path: 'name', message: 'Feature Name is required' }]
  const body = { message: 'Slow down', code: 'too_many_requests', errors: fields, requestId: 'r-1' }
  response(body, { status: 429, headers: { 'retry-after': '30' } })
  const error = await failureOf(api('features', 'list'))
  expect(error).toMatchObject({ status: 429, code: 'too_many_requests', message: 'Slow down', requestId: 'r-1' })
  expect([error.fields, error.retryAfter]).toEqual([fields, 30])
})

test('throws an ApiError when there is no response, or one that is not from the API', async () => {
  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  expect(await failureOf(api('features', 'list'))).toMatchObject({ status: 0, code: 'network' })
  response('<h1>Bad gateway</h1>', { status: 502 })
  expect(await failureOf(api('features', 'list'))).toMatchObject({ status: 502, code: 'unreadable' })
  response('<h1>A hotel wants you to log in</h1>')
  expect(await failureOf(api('features', 'list'))).toMatchObject({ status: 200, code: 'unreadable' })
  for (const body of ['null', '{}', '{"data":null}', '7']) {
    response(body)
    expect(await failureOf(api('locations', 'list')), body).toMatchObject({ status: 200, code: 'unreadable' })
  }
  response('null')
  expect(await failureOf(api('account', 'get'))).toMatchObject({ status: 200, code: 'unreadable' })
  fetched.mockResolvedValueOnce(new Response(null, { status: 204 }))
  const create = api('features', 'create', { body: { name: 'Wi-Fi', icon: 'wifi' } })
  expect(await failureOf(create)).toMatchObject({ status: 204, code: 'unreadable' })
})

test('rethrows the reason of an abort unchanged', async () => {
  const abort = new AbortController()
  fetched.mockImplementationOnce(async () => {
    abort.abort()
    throw abort.signal.reason
  })
  await expect(api('features', 'list', { signal: abort.signal })).rejects.toBe(abort.signal.reason)
})

test.each([
  [401, 'not_signed_in'],
  [403, 'confirmation_required'],
])('retries a request with the new token of another tab, and does not end the session', async (status, code) => {
  const user = { _id: 'staff-1' }
  startSession({ ...user, user, token: 'before', auth_page: ['2'] } as LoginResponse)
  fetched.mockImplementationOnce(async () => {
    localStorage.setItem('token', 'after')
    return new Response(JSON.stringify({ message: 'Refused', code }), { status })
  })
  response([])
  await api('features', 'list')
  expect(fetched.mock.calls.map(([, init]) => new Headers(init?.headers).get('authorization'))).toEqual([
    'Bearer before',
    'Bearer after',
  ])
  expect(getSession()?.token).toBe('after')
})

test('ends the session on not_signed_in, but not after a refused login or for a token replaced meanwhile', async () => {
  startAs('secret')
  response({ message: 'Wrong', code: 'invalid_credentials' }, { status: 401 })
  await failureOf(api('auth', 'login', { body: { email: 'a', password: 'b' } }))
  expect(getSession()?.token).toBe('secret')

  fetched.mockImplementationOnce(async () => {
    startAs('newer')
    return new Response('{"message":"Please sign in.","code":"not_signed_in"}', { status: 401 })
  })
  await failureOf(api('features', 'list'))
  expect(getSession()?.token).toBe('newer')

  response({ message: 'Please sign in.', code: 'not_signed_in' }, { status: 401 })
  await failureOf(api('features', 'list'))
  expect(getSession()).toBeUndefined()
})

test('updates the session’s pages from the response headers, even of an error', async () => {
  startAs('secret')
  response({ message: 'No', code: 'page_required' }, { status: 403, headers: { 'x-auth-pages': '3,7' } })
  await failureOf(api('features', 'list'))
  expect(getSession()?.pages).toEqual([3, 7])
})

const location = {
  name: 'Dock',
  Street: '1 Quay',
  city: 'Cape Town',
  state: 'Western Cape',
  zip: '8001',
  country_code: 'ZA',
}
const keyOf = (call: number) => new Headers(fetched.mock.calls[call]?.[1]?.headers).get('idempotency-key')

function loseConnection(times: number) {
  for (let time = 0; time < times; time += 1) fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'))
}

/** Returns a body of which nothing comes until the request is aborted. */
const standStill = (init: RequestInit | undefined) =>
  new ReadableStream({
    start: (stream) => init?.signal?.addEventListener('abort', () => stream.error(init.signal?.reason)),
  })

/** Advances the fake timers until the promise settles. Digests take real time, hence the setImmediate. */
async function passPauses<T>(promise: Promise<T>): Promise<T> {
  const isSettled = promise.then(
    () => true,
    () => true,
  )
  const passSecond = async () => {
    await vi.advanceTimersByTimeAsync(1_000)
    await new Promise((resolve) => setImmediate(resolve))
    return false
  }
  while (!(await Promise.race([isSettled, passSecond()])));
  return promise
}

describe('when the connection is lost', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })

  test('retries a creation with the same idempotency key, and uses a new one for the next creation', async () => {
    loseConnection(2)
    response('<h1>Bad gateway</h1>', { status: 502 })
    response({ _id: '1' })
    const created = await passPauses(api('locations', 'create', { body: location }))
    expect(created).toMatchObject({ data: { _id: '1' } })
    expect(fetched).toHaveBeenCalledTimes(4)
    expect(keyOf(0)).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set([0, 1, 2, 3].map(keyOf)).size).toBe(1)
    response({ _id: '2' })
    await api('locations', 'create', { body: location })
    expect(keyOf(4)).not.toBe(keyOf(0))
  })

  test('gives up on a creation after seven attempts, but keeps its key until a response comes, even over a reload', async () => {
    loseConnection(7)
    const failure = await passPauses(failureOf(api('locations', 'create', { body: location })))
    expect(failure).toMatchObject({ code: 'network' })
    expect(fetched).toHaveBeenCalledTimes(7)
    response({ message: 'No', code: 'invalid_input' }, { status: 400 })
    vi.resetModules()
    const afterReload = await import('./client.ts')
    await afterReload.api('locations', 'create', { body: location }).catch(() => undefined)
    expect(keyOf(7)).toBe(keyOf(0))
    // A refusal is a response too, so the key was forgotten.
    response({ _id: '1' })
    await afterReload.api('locations', 'create', { body: location })
    expect(keyOf(8)).not.toBe(keyOf(0))
  })

  test('does not retry a refused creation, and retries an edit three times only, with a new key for the next edit', async () => {
    response({ message: 'The server is busy.', code: 'overloaded' }, { status: 503 })
    expect(await failureOf(api('locations', 'create', { body: location }))).toMatchObject({ code: 'overloaded' })
    expect(fetched).toHaveBeenCalledTimes(1)
    loseConnection(4)
    const edit = api('features', 'update', { params: { id: 'a' }, body: { name: 'Wi-Fi' } })
    expect(await passPauses(failureOf(edit))).toMatchObject({ code: 'network' })
    expect(fetched).toHaveBeenCalledTimes(5)
    expect(new Set([1, 2, 3, 4].map(keyOf)).size).toBe(1)
    response({ _id: 'a' })
    await api('features', 'update', { params: { id: 'a' }, body: { name: 'Wi-Fi' } })
    expect(keyOf(5)).not.toBe(keyOf(1))
  })

  test('keeps the key of a lost change of a version while it is of that version', async () => {
    const change = (version: number) =>
      api('features', 'update', { params: { id: 'a' }, body: { name: 'Wi-Fi' }, version })
    loseConnection(4)
    expect(await passPauses(failureOf(change(1)))).toMatchObject({ code: 'network' })
    response({ _id: 'a' })
    await change(2)
    response({ _id: 'a' })
    await change(1)
    expect(keyOf(4)).not.toBe(keyOf(0))
    expect(keyOf(5)).toBe(keyOf(0))
  })

  test('keeps the key of a lost change whose body names its version, and of a lost undo', async () => {
    const checkIn = () =>
      api('bookingActions', 'checkIn', { params: { id: 'a' }, body: { version: 1, method: 'staff' } })
    loseConnection(4)
    expect(await passPauses(failureOf(checkIn()))).toMatchObject({ code: 'network' })
    response({ _id: 'a' })
    await checkIn()
    expect(keyOf(4)).toBe(keyOf(0))
    const undo = () => api('audit', 'undo', { params: { id: 'a' } })
    loseConnection(4)
    await passPauses(failureOf(undo()))
    response({ message: 'Undone' })
    await undo()
    expect(keyOf(9)).toBe(keyOf(5))
  })

  test('retries a creation whose response breaks off, with the same idempotency key', async () => {
    const brokenOff = new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) })
    fetched.mockResolvedValueOnce(new Response(brokenOff, { status: 201 }))
    response({ _id: '1' })
    const created = await passPauses(api('locations', 'create', { body: location }))
    expect(created).toMatchObject({ data: { _id: '1' } })
    expect(fetched).toHaveBeenCalledTimes(2)
    expect(keyOf(1)).toBe(keyOf(0))
  })

  test('gives up reading a response that stands still for a minute', async () => {
    fetched.mockImplementationOnce(async (_url, init) => new Response(standStill(init)))
    const read = failureOf(api('features', 'list'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await read).toMatchObject({ code: 'network' })
  })

  test('retries a creation whose response stands still for a minute, with the same idempotency key', async () => {
    fetched.mockImplementationOnce(async (_url, init) => new Response(standStill(init), { status: 201 }))
    response({ _id: '1' })
    const created = api('locations', 'create', { body: location })
    await vi.advanceTimersByTimeAsync(59_000)
    expect(await passPauses(created)).toMatchObject({ data: { _id: '1' } })
    expect(keyOf(1)).toBe(keyOf(0))
  })

  test('retries a creation whose response does not begin within a minute, with the same idempotency key', async () => {
    const neverEnds = vi.fn<() => void>()
    fetched.mockImplementationOnce(
      (_url, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => {
            neverEnds()
            reject(init.signal?.reason)
          })
        }),
    )
    response({ _id: '1' })
    const created = api('locations', 'create', { body: location })
    await vi.advanceTimersByTimeAsync(59_000)
    expect(neverEnds).not.toHaveBeenCalled()
    expect(await passPauses(created)).toMatchObject({ data: { _id: '1' } })
    expect(neverEnds).toHaveBeenCalledOnce()
    expect(keyOf(1)).toBe(keyOf(0))
  })

  test('sends nothing again in the name of somebody else who has signed in meanwhile', async () => {
    startAs('first')
    loseConnection(1)
    const edit = failureOf(api('features', 'update', { params: { id: 'a' }, body: { name: 'Wi-Fi' } }))
    await vi.advanceTimersByTimeAsync(0)
    endSession('signed-out')
    startAs('second')
    expect(await passPauses(edit)).toMatchObject({ code: 'network' })
    expect(fetched).toHaveBeenCalledTimes(1)
  })

  test('waits for the network while the browser is offline, without using up its retries', async () => {
    loseConnection(1)
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const edit = api('features', 'update', { params: { id: 'a' }, body: { name: 'Wi-Fi' } })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(fetched).toHaveBeenCalledTimes(1)
    response({ _id: 'a' })
    onLine.mockReturnValue(true)
    window.dispatchEvent(new Event('online'))
    expect(await edit).toMatchObject({ data: { _id: 'a' } })
    expect(keyOf(1)).toBe(keyOf(0))
    onLine.mockRestore()
  })
})
