import { describe, expect, it } from 'vitest'
import { routes } from '#contract/routes.ts'
import { createId } from '#server/ids.ts'
import { allEndpoints } from '#server/testing/sound-requests.ts'
import { useTestApp } from '#server/testing/test-app.ts'
import { findUnstorable } from './storable.ts'

const test = useTestApp()

const withTexts = allEndpoints.filter(({ endpoint }) => endpoint.body ?? endpoint.query)

const unstorable: [text: string, placeInBody: string, body: object][] = [
  ['\0', 'email', { email: '\0' }],
  ['a\0b', 'for.email', { for: { email: 'a\0b' } }],
  ['\uD800', 'images.1.url', { images: [{}, { url: '\uD800' }] }],
  ['a\uDC00', '0', ['a\uDC00']],
]

it.each(withTexts)('$name refuses a text that cannot be stored, wherever it is in the body', async ({ endpoint }) => {
  const { token, _id } = await test.signIn()
  for (const [text, placeInBody, body] of unstorable) {
    const path = endpoint.body ? placeInBody : 'email'
    const where = endpoint.body
      ? // Escaped by JSON, because the bytes of UTF-8 cannot hold a lone surrogate.
        {
          // What some of these endpoints need in their query.
          query: { location: createId(), scope: 'all' },
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', 'if-match': '"1"' },
        }
      : { query: { email: text.replace(/\p{Surrogate}/u, '\0') }, headers: { 'if-match': '"1"' } }
    const params = { id: createId(), podId: createId(), userId: _id }
    const response = await test.request(endpoint, { token, params, ...where })
    const message = `${path} has a character that cannot be stored`
    expect(response).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', errors: [{ path, message }] },
    })
  }
})

describe('findUnstorable', () => {
  it('returns the path of the text', () => {
    expect(findUnstorable({ a: 'b', images: [{ url: 'x' }, { url: '\0' }] })).toBe('images.1.url')
    expect(findUnstorable('\0')).toBe('')
    expect(findUnstorable(['x', ['\uD83D']])).toBe('1.0')
  })

  it('accepts all other values', () => {
    expect(
      findUnstorable({ a: '👩‍👩‍👧 𝒳 \u0007\t\n\u007F\uFFFE', b: null, c: 1e300, d: [true, undefined] }),
    ).toBeUndefined()
  })

  it('handles deeply nested JSON', () => {
    expect(findUnstorable(JSON.parse(`${'['.repeat(400_000)}"\\u0000"${']'.repeat(400_000)}`))).toMatch(/^0\.0\.0/)
  })

  it('takes less than ten times as long as parsing, for a megabyte of small values too, and cuts their path', () => {
    const measure = (work: () => unknown) => {
      const begun = performance.now()
      work()
      return performance.now() - begun
    }
    for (const item of ['1', '""', '[]']) {
      const text = `{"email":[${Array.from({ length: 330_000 }, () => item).join(',')},"\\u0000"]}`
      const value = JSON.parse(text)
      expect(findUnstorable(value)).toBe('email.330000')
      // The fastest of many turns, as a busy machine slows down whole runs of them.
      let [parsing, finding] = [Infinity, Infinity]
      for (let turn = 0; turn < 5 || (turn < 50 && finding >= 10 * parsing); turn += 1) {
        parsing = Math.min(
          parsing,
          measure(() => JSON.parse(text)),
        )
        finding = Math.min(
          finding,
          measure(() => findUnstorable(value)),
        )
      }
      expect(finding).toBeLessThan(10 * parsing)
    }
    expect(findUnstorable({ ['a'.repeat(900_000)]: '\0' })).toBe('a'.repeat(200))
  })
})

it('keeps invisible characters unchanged', async () => {
  const { token } = await test.signIn()
  const name = 'A\u0007B\tC\u200BD'
  const response = await test.request(routes.features.create, { token, body: { name, icon: 'wifi' } })
  expect(response.body).toMatchObject({ name })
})
