import { describe, expect, it } from 'vitest'
import { useTestApp } from '#server/testing/test-app.ts'

const test = useTestApp()

describe('GET uploads/:key', () => {
  it('serves a stored image to everyone, with its length and a year of caching', async () => {
    await test.context.storage.put('0a1b.webp', Buffer.from('picture'), 'image/webp')
    for (const url of ['/uploads/0a1b.webp', '/api/uploads/0a1b.webp']) {
      const response = await test.app.inject(url)
      expect(response.statusCode).toBe(200)
      expect(response.body).toBe('picture')
      expect(response.headers).toMatchObject({
        'content-type': 'image/webp',
        'content-length': '7',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      })
    }
  })

  it('responds to HEAD as to GET, without the body', async () => {
    await test.context.storage.put('0a1b.webp', Buffer.from('picture'), 'image/webp')
    const { statusCode, headers, body } = await test.app.inject({ method: 'HEAD', url: '/uploads/0a1b.webp' })
    expect([statusCode, headers['content-length'], headers['content-type'], body]).toEqual([200, '7', 'image/webp', ''])
    expect((await test.app.inject({ method: 'HEAD', url: '/uploads/unknown.webp' })).statusCode).toBe(404)
  })

  it.each(['/uploads/unknown.webp', '/uploads/..%2Fdatabase', '/uploads/%2e%2e', '/uploads/a%00b', '/uploads/'])(
    'returns a JSON 404 that is not cached for %s',
    async (url) => {
      const response = await test.app.inject(url)
      expect(response.statusCode).toBe(404)
      expect(response.headers['content-type']).toContain('application/json')
      expect(response.headers['cache-control']).toBe('no-store')
      expect(response.json()).toMatchObject({ code: 'not_found' })
    },
  )
})
