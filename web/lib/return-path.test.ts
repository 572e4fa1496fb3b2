// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { parseReturnPath } from './return-path.ts'

test('accepts paths of this portal', () => {
  expect(parseReturnPath('/location?search=dock#top')).toBe('/location?search=dock#top')
})

test.each([
  undefined,
  '',
  'features',
  'https://evil.example.com',
  '//evil.example.com',
  '/\\evil.example.com',
  '/\t/evil.example.com',
  '/.//evil.example.com',
  '/x/..//evil.example.com',
  'javascript:alert(1)',
  '/login?from=/login',
])('refuses any other address: %s', (text) => {
  expect(parseReturnPath(text)).toBeUndefined()
})
