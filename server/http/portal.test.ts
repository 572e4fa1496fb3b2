import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { useTestApp } from '#server/testing/test-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'podkeeper-portal-'))
mkdirSync(join(folder, 'assets'))
writeFileSync(join(folder, 'index.html'), '<html><head><title>%PRODUCT_NAME%</title></head></html>')
writeFileSync(join(folder, 'manifest.webmanifest'), readFileSync('web/public/manifest.webmanifest'))
writeFileSync(join(folder, 'assets', 'main-1a2b.js'), 'export {}')

const test = useTestApp({ PRODUCT_NAME: 'Quiet Rooms' }, { portalFolder: folder })
afterAll(() => rmSync(folder, { recursive: true }))

const get = (url: string, accept: string | undefined, method: 'GET' | 'HEAD' = 'GET') =>
  test.app.inject({ method, url, headers: accept === undefined ? {} : { accept } })

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

describe.each(['/', '/pods', '/qr?bookingId=1', '/admin/users/'])('%s', (url) => {
  it.each([
    undefined,
    '*/*',
    'text/*',
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'application/json, text/plain, */*',
    BROWSER,
  ])('returns the portal’s page to clients that accept %s, for GET and HEAD', async (accept) => {
    const page = await get(url, accept)
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.body).toContain('<title>Quiet Rooms</title>')
    const head = await get(url, accept, 'HEAD')
    expect([head.statusCode, head.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(head.headers['content-length']).toBe(page.headers['content-length'])
  })

  it.each([
    'application/json',
    'application/json, application/problem+json',
    'application/json, text/html;q=0',
    'image/png',
  ])('returns a JSON 404 to clients that accept %s', async (accept) => {
    const response = await get(url, accept)
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ code: 'not_found', message: expect.any(String) })
  })
})

it.each(['/api', '/api/', '/api/nowhere', '/api?x=1', '//api/product/getall'])(
  '%s returns the API’s 404 whatever the client accepts',
  async (url) => {
    for (const accept of [undefined, '*/*', BROWSER]) {
      const response = await get(url, accept)
      expect([response.statusCode, response.json().code]).toEqual([404, 'not_found'])
    }
  },
)

it('a script is served as a file, and returns 404 instead of the page once it no longer exists', async () => {
  expect((await get('/assets/main-1a2b.js', '*/*')).body).toBe('export {}')
  expect((await get('/assets/main-0000.js', '*/*')).statusCode).toBe(404)
})

it('methods other than GET and HEAD never return the page', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'] as const) {
    expect((await test.app.inject({ method, url: '/pods', headers: { accept: '*/*' } })).statusCode).toBe(404)
  }
})

it('a path of both, such as /schedule, returns the page to browsers and the API’s response to its clients', async () => {
  const page = await get('/schedule?date=2026-11-23', BROWSER)
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/html;q=0']) {
    expect((await get('/schedule', accept)).json().code).toBe('not_signed_in')
  }
  expect((await get('/api/schedule', BROWSER)).json().code).toBe('not_signed_in')
  const { token } = await test.signIn()
  const headers = { accept: BROWSER, authorization: `Bearer ${token}` }
  const response = await test.app.inject({ url: '/schedule?date=2026-11-23', headers })
  expect(response.json()).toMatchObject({ date: '2026-11-23' })
})

it('the page has the name of the product as its title, until a screen has its own', () => {
  expect(readFileSync('web/index.html', 'utf8')).toContain('<title>%PRODUCT_NAME%</title>')
})

it('the page asks browsers not to translate it', () => {
  const html = readFileSync('web/index.html', 'utf8')
  expect(html).toContain('<html lang="en" translate="no">')
  expect(html).toContain('<meta name="google" content="notranslate" />')
})

describe('a product name with markup characters', () => {
  const name = '</title></script><script>alert("1")</script>& $& $$'
  const hostile = useTestApp({ PRODUCT_NAME: name }, { portalFolder: folder })

  it('is escaped in the page and in its settings', async () => {
    const { body } = await hostile.app.inject({ url: '/', headers: { accept: BROWSER } })
    expect(body.match(/<\/?(script|title)\b/g)).toEqual(['<title', '</title', '<script', '</script'])
    const [, settings = ''] = /<script id="settings" type="application\/json">(.*?)<\/script>/.exec(body) ?? []
    expect(JSON.parse(settings)).toMatchObject({ productName: name })
  })

  it('is the name of the installed app', async () => {
    const { headers, body } = await hostile.app.inject('/manifest.webmanifest')
    expect(headers['content-type']).toContain('application/manifest+json')
    expect(JSON.parse(body)).toMatchObject({ name, short_name: name })
  })
})
