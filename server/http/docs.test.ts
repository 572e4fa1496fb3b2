import { describe, expect, it } from 'vitest'
import { useTestApp } from '../testing/test-app.ts'

const test = useTestApp({
  NODE_ENV: 'production',
  SECRET_KEY: 'a key of some length',
  PUBLIC_URL: 'https://pods.example.com',
})

const get = (url: string, headers: Record<string, string> = {}) => test.app.inject({ method: 'GET', url, headers })
const documents = ['/api/openapi.json', '/api/docs', '/api/docs/', '/api/docs/json', '/api/docs/yaml']

describe('what describes the API, in production', () => {
  it.each(documents)('%s is a JSON 401 without a session', async (url) => {
    const response = await get(url)
    expect(response.statusCode).toBe(401)
    expect(response.json()).toMatchObject({ code: 'not_signed_in' })
  })

  it.each(documents)('%s is there for whoever is signed in, whatever their pages', async (url) => {
    const { token } = await test.signIn([2])
    const response = await get(url, { authorization: `Bearer ${token}` })
    expect(response.statusCode).toBe(200)
    expect(response.headers['cache-control']).toBe('no-store')
  })

  it('a browser is shown where to sign in, and nothing of the API', async () => {
    const response = await get('/api/docs', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect(response.statusCode).toBe(401)
    expect(response.headers['content-type']).toContain('text/html')
    expect(response.body).toContain('href="/login"')
    const [, script = ''] = /<script src="([^"]+)"/.exec(response.body) ?? []
    const { statusCode, headers } = await get(script)
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toContain('javascript')
  })

  it('the page’s own files need no session: a browser sends none with them', async () => {
    const { token } = await test.signIn()
    const page = await get('/api/docs/', { authorization: `Bearer ${token}` })
    for (const [, asset] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const url = new URL(asset ?? '', 'http://localhost/api/docs/').pathname
      expect((await get(url)).statusCode, url).toBe(200)
    }
  })
})
