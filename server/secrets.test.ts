import { expect, it } from 'vitest'
import { createSecretBox } from './secrets.ts'

it('seals so that only the key opens, and never the same way twice', () => {
  const box = createSecretBox('a key of some length')
  const sealed = box.seal('door 1234 — 🚪')
  expect(sealed).not.toContain('1234')
  expect(box.open(sealed)).toBe('door 1234 — 🚪')
  expect(box.seal('door 1234 — 🚪')).not.toBe(sealed)
  expect(() => createSecretBox('another key of length').open(sealed)).toThrow()
  expect(() => createSecretBox(undefined).open(sealed)).toThrow('SECRET_KEY')
})

it('refuses what was tampered with', () => {
  const box = createSecretBox('a key of some length')
  const bytes = Buffer.from(box.seal('door').slice(3), 'base64')
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
  expect(() => box.open(`v1:${bytes.toString('base64')}`)).toThrow()
})

it('opens what was kept before a key was set', () => {
  expect(createSecretBox('a key of some length').open(createSecretBox(undefined).seal('door'))).toBe('door')
})
