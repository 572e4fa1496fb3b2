import { describe, expect, it, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp({ CORS_ORIGINS: 'https://app.example.com' })

describe('paths', () => {
  it.each(['/user/login', '/api/user/login'])('reach the endpoint with and without /api: %s', async (url) => {
    const response = await test.app.inject({ method: 'POST', url, payload: {} })
    expect(response.statusCode).toBe(400)
    expect(response.json().errors).toHaveLength(2)
  })

  it.each(['/nowhere', '/api/nowhere', '/api', '/uploads/../secret'])(
    'return 404 as JSON when unknown: %s',
    async (url) => {
      const response = await test.app.inject({ method: 'GET', url })
      expect(response.statusCode).toBe(404)
      expect(response.json()).toMatchObject({ code: 'not_found', message: expect.any(String) })
    },
  )

  it('return 400 as JSON when malformed', async () => {
    const response = await test.app.inject({ method: 'GET', url: '/api/user/%E0%A4%A' })
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toEqual(expect.any(String))
  })
})

describe('request bodies', () => {
  const post = (payload: string, contentType: string | undefined) =>
    test.app.inject({
      method: 'POST',
      url: '/api/user/login',
      payload,
      headers: contentType === undefined ? {} : { 'content-type': contentType },
    })

  it('are refused with 400 when they are invalid JSON', async () => {
    const response = await post('{"email":', 'application/json')
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'invalid_json', message: 'The request body is not valid JSON.' })
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data; boundary=x',
    'json',
  ])('are refused with 415 when their type is %s', async (type) => {
    const response = await post('email=a', type)
    expect(response.statusCode).toBe(415)
    expect(response.json()).toMatchObject({
      code: 'unsupported_type',
      message: expect.stringMatching(/Send JSON .*application\/json/),
    })
  })

  it('are refused with 413 beyond 64 kB where anyone may send them, and beyond 1 MB elsewhere', async () => {
    const { token } = await test.signIn()
    const send = async (url: string, size: number) =>
      test.app.inject({
        method: 'POST',
        url,
        headers: { authorization: `Bearer ${token}` },
        payload: { email: 'x'.repeat(size) },
      })
    expect((await send('/api/user/login', 60_000)).statusCode).toBe(400)
    expect((await send('/api/location/create-features', 1_000_000)).statusCode).toBe(400)
    for (const response of [
      await send('/api/user/login', 70_000),
      await send('/api/location/create-features', 1_100_000),
    ]) {
      expect(response.statusCode).toBe(413)
      expect(response.json()).toMatchObject({ code: 'payload_too_large', message: expect.any(String) })
    }
  })

  it.each(['[]', 'null', '"text"', '5'])('are refused with 400 when they are not an object: %s', async (payload) => {
    expect((await post(payload, 'application/json')).statusCode).toBe(400)
  })

  it.each(['application/json', 'text/plain', undefined])(
    'may be empty when the endpoint needs none, with content type %s',
    async (type) => {
      const staff = await test.signIn()
      const response = await test.app.inject({
        method: 'POST',
        url: '/user/logout',
        headers: { authorization: `Bearer ${staff.token}`, ...(type ? { 'content-type': type } : {}) },
        payload: '',
      })
      expect(response.statusCode).toBe(200)
    },
  )
})

describe('headers', () => {
  it('contain a request id: the caller’s if it is valid, otherwise a new one', async () => {
    const made = await test.request(routes.auth.login, { body: {} })
    expect(made.headers['x-request-id']).toBe(made.body.requestId)
    const kept = await test.request(routes.auth.login, { body: {}, headers: { 'x-request-id': 'abcdef-12345' } })
    expect(kept.body.requestId).toBe('abcdef-12345')
    const refused = await test.request(routes.auth.login, { body: {}, headers: { 'x-request-id': 'a b<script>' } })
    expect(refused.body.requestId).not.toContain('<')
  })

  it('allow the origins in CORS_ORIGINS and no others', async () => {
    const preflight = (origin: string) =>
      test.app.inject({
        method: 'OPTIONS',
        url: '/api/user/login',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
      })
    const known = await preflight('https://app.example.com')
    expect(known.headers['access-control-allow-origin']).toBe('https://app.example.com')
    const unknown = await preflight('https://evil.example.com')
    expect(unknown.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('forbid framing and scripts from other origins', async () => {
    const response = await test.request(routes.auth.login, { body: {} })
    expect(response.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(response.headers['content-security-policy']).toContain("script-src 'self'")
    expect(response.headers['x-content-type-options']).toBe('nosniff')
  })
})

describe('health checks', () => {
  it('respond at /healthz and /readyz without a session', async () => {
    expect((await test.app.inject('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await test.app.inject('/readyz')).json()).toEqual({
      status: 'ready',
      eventLoopDelayMs: expect.any(Number),
      database: { connections: expect.any(Number), idle: expect.any(Number), waiting: 0 },
    })
  })

  it('report five seconds when the event loop stood still for longer, which is not known more exactly', async () => {
    vi.spyOn(test.app, 'memoryUsage').mockReturnValueOnce({ ...test.app.memoryUsage(), eventLoopDelay: Infinity })
    expect((await test.app.inject('/readyz')).json()).toMatchObject({ eventLoopDelayMs: 5000 })
  })

  it.each(['/healthz', '/readyz'])('respond to HEAD at %s as to GET, without the body', async (url) => {
    const [get, head] = [await test.app.inject({ url }), await test.app.inject({ method: 'HEAD', url })]
    expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([200, get.headers['content-type'], ''])
  })
})

describe('the OpenAPI document', () => {
  it('describes every endpoint with its schemas', async () => {
    const { statusCode, body } = await test.app.inject('/api/openapi.json')
    expect(statusCode).toBe(200)
    const document = JSON.parse(body)
    expect(document.openapi).toBe('3.1.0')
    const count = Object.values(routes).flatMap((group) => Object.values(group)).length
    expect(Object.values(document.paths).flatMap((path) => Object.keys(path as object))).toHaveLength(count)
    const login = document.paths['/api/user/login'].post
    expect(login.requestBody.content['application/json'].schema.properties).toHaveProperty('password')
    expect(login.security).toEqual([])
  })

  it('can be read on a page that loads all its assets', async () => {
    const page = await test.app.inject('/api/docs/')
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
    for (const [, asset] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const url = new URL(asset ?? '', 'http://localhost/api/docs/').pathname
      expect((await test.app.inject(url)).statusCode, url).toBe(200)
    }
  })
})
