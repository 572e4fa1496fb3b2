import { describe, expect, it } from 'vitest'
import { useTestApp } from '../testing/test-app.ts'

const test = useTestApp({
  NODE_ENV: 'production',
  SECRET_KEY: 'a key of some length',
  PUBLIC_URL: 'https://pods.example.com',
})

const get = (url: string, headers: Record<string, string> = {}) => test.app.inject({ method: 'GET', url, headers })
const documents = ['/api/openapi.json', '/api/docs', '/api/docs/', '/api/docs/json', '/api/docs/yaml']
/** A part of the description, which nothing may contain that is sent without a session. */
const described = 'create-booking'

describe('the API documentation in production', () => {
  it.each(documents)('returns a JSON 401 without a session, and nothing of the description: %s', async (url) => {
    const response = await get(url)
    expect(response.statusCode).toBe(401)
    expect(response.json()).toEqual({
      code: 'not_signed_in',
      message: 'Please sign in.',
      requestId: expect.any(String),
    })
  })

  it.each(documents)('is open to all signed-in staff, whatever their pages: %s', async (url) => {
    const { token } = await test.signIn([2])
    const response = await get(url, { authorization: `Bearer ${token}` })
    expect(response.statusCode).toBe(200)
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.body.includes(described)).toBe(!url.startsWith('/api/docs') || /json|yaml/.test(url))
  })

  it('shows browsers without a session a link to sign in', async () => {
    const response = await get('/api/docs', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect(response.statusCode).toBe(401)
    expect(response.headers['content-type']).toContain('text/html')
    expect(response.body).toContain('href="/login"')
    const [, script = ''] = /<script src="([^"]+)"/.exec(response.body) ?? []
    const { statusCode, headers, body } = await get(script)
    expect(statusCode).toBe(200)
    expect(response.body + body).not.toContain(described)
    expect(headers['content-type']).toContain('javascript')
  })

  it('needs no session for its static files, as browsers send no token with them', async () => {
    const { token } = await test.signIn()
    const page = await get('/api/docs/', { authorization: `Bearer ${token}` })
    const assets = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)]
    expect(assets.length).toBeGreaterThan(1)
    for (const [, asset] of assets) {
      const url = new URL(asset ?? '', 'http://localhost/api/docs/').pathname
      const { statusCode, body } = await get(url)
      expect(statusCode, url).toBe(200)
      expect(body.includes(described), url).toBe(false)
    }
  })
})
