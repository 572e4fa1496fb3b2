import { expect, it } from 'vitest'
import { isAllowed, listLicences } from './licences.mjs'

it('allows a choice with one allowed licence, and a combination only if all are allowed', () => {
  expect(isAllowed('chartist', 'MIT OR WTFPL')).toBe(true)
  expect(isAllowed('any', '(MIT AND GPL-3.0-only)')).toBe(false)
  expect(isAllowed('any', 'none')).toBe(false)
})

it('makes an exception for a package only by its name', () => {
  expect(isAllowed('@img/sharp-win32-x64', 'Apache-2.0 AND LGPL-3.0-or-later')).toBe(true)
  expect(isAllowed('another', 'LGPL-3.0-or-later')).toBe(false)
})

it('lists the licences of production packages, including nested ones', () => {
  const packages = { '': {}, 'node_modules/a/node_modules/b': { version: '1.0.0' }, 'node_modules/c': { dev: true } }
  expect(listLicences({ packages })).toEqual([{ name: 'b', version: '1.0.0', license: 'none' }])
})
