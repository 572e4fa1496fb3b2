import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { createSecretBox } from './secrets.ts'

it('seals a value so that only its key opens it, and differently each time', () => {
  const box = createSecretBox('a key of some length')
  const sealed = box.seal('door 1234 — 🚪')
  expect(sealed).not.toContain('1234')
  expect(box.open(sealed)).toBe('door 1234 — 🚪')
  expect(box.seal('door 1234 — 🚪')).not.toBe(sealed)
  expect(() => createSecretBox('another key of length').open(sealed)).toThrow()
  expect(() => createSecretBox(undefined).open(sealed)).toThrow('SECRET_KEY')
})

it('refuses a sealed value that was tampered with', () => {
  const box = createSecretBox('a key of some length')
  const bytes = Buffer.from(box.seal('door').slice(3), 'base64')
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
  expect(() => box.open(`v2:${bytes.toString('base64')}`)).toThrow()
})

it('opens a value that was stored before a key was set', () => {
  expect(createSecretBox('a key of some length').open(createSecretBox(undefined).seal('door'))).toBe('door')
})

/** By the formulas that docs/security.md names, with a nonce of sevens. */
const ofEarlierRelease = 'v1:BwcHBwcHBwcHBwcHIeCNkX641lMxFgIMXR+iG1VvLLAnw5sQ6A=='
const ofThisRelease = 'v2:BwcHBwcHBwcHBwcHIqESMIK+gwyWxWh16ZAL0TMgkaiyZ5jmjw=='

it('opens what this release and an earlier one have sealed, and seals by the slower derivation of the two', () => {
  const box = createSecretBox('a key of some length')
  expect([box.open(ofThisRelease), box.open(ofEarlierRelease)]).toEqual(['door 1234', 'door 1234'])
  expect(box.seal('door')).toMatch(/^v2:/)
  expect([box.isCurrent(ofThisRelease), box.isCurrent(ofEarlierRelease)]).toEqual([true, false])
})

it('hashes with a key that takes as long to guess as the one that seals', () => {
  const box = createSecretBox('a key of some length')
  const fast = createHmac('sha256', 'a key of some length').update('203.0.113.7').digest()
  expect(box.hash('203.0.113.7')).toEqual(box.hash('203.0.113.7'))
  expect(box.hash('203.0.113.7')).not.toEqual(createSecretBox('another key of length').hash('203.0.113.7'))
  expect(box.hash('203.0.113.7')).not.toEqual(fast)
})

it('seals and hashes like an earlier release in a database of one', () => {
  const box = createSecretBox('a key of some length')
  box.sealAs(ofEarlierRelease)
  const sealed = box.seal('door')
  expect(sealed).toMatch(/^v1:/)
  expect(box.open(sealed)).toBe('door')
  const fast = createHmac('sha256', 'a key of some length').update('203.0.113.7').digest()
  expect(box.hash('203.0.113.7')).toEqual(fast)
})
