import { expect, it } from 'vitest'
import { isWebAddress } from './web-address.ts'

it.each(['https://maps.example.com/?q=-26.1,28.0', 'HTTP://example.com'])('accepts %s as a web address', (text) => {
  expect(isWebAddress(text)).toBe(true)
})

it.each([
  'javascript:alert(1)',
  'javascript://example.com/%0Aalert(1)',
  'ftp://example.com/map',
  ' javascript:alert(1)//https://example.com',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  '//example.com',
  'second floor, left',
  '',
])('refuses %j as a web address', (text) => {
  expect(isWebAddress(text)).toBe(false)
})
