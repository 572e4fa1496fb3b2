import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { addSecurityHeaders, createSecurityHeaders } from './security-headers.ts'

async function respondWith(overHttps: boolean) {
  const app = Fastify()
  addSecurityHeaders(app, createSecurityHeaders({ overHttps }))
  app.get('/', async (_request, reply) => reply.header('cross-origin-resource-policy', 'cross-origin').send('text'))
  return (await app.inject('/')).headers
}

it('adds headers that keep browsers on HTTPS only when served over HTTPS', async () => {
  const overHttps = await respondWith(true)
  expect(overHttps['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
  expect(overHttps['content-security-policy']).toContain('upgrade-insecure-requests')
  const overHttp = await respondWith(false)
  expect(overHttp['strict-transport-security']).toBeUndefined()
  expect(overHttp['content-security-policy']).not.toContain('upgrade-insecure-requests')
})

it('keeps a header that the response has set itself', async () => {
  expect((await respondWith(true))['cross-origin-resource-policy']).toBe('cross-origin')
})
