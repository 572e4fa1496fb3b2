import { expect, it } from 'vitest'
import { isAllowed, listLicences } from './licences.mjs'

it('takes a choice of licences for one that is allowed, and all of those that hold together', () => {
  expect(isAllowed('chartist', 'MIT OR WTFPL')).toBe(true)
  expect(isAllowed('any', '(MIT AND GPL-3.0-only)')).toBe(false)
  expect(isAllowed('any', 'none')).toBe(false)
})

it('makes an exception for a package by its name alone', () => {
  expect(isAllowed('@img/sharp-win32-x64', 'Apache-2.0 AND LGPL-3.0-or-later')).toBe(true)
  expect(isAllowed('another', 'LGPL-3.0-or-later')).toBe(false)
})

it('looks at what production runs, nested packages too', () => {
  const packages = { '': {}, 'node_modules/a/node_modules/b': { version: '1.0.0' }, 'node_modules/c': { dev: true } }
  expect(listLicences({ packages })).toEqual([{ name: 'b', version: '1.0.0', license: 'none' }])
})
