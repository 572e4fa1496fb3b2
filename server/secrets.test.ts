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
  expect(() => box.open(`v1:${bytes.toString('base64')}`)).toThrow()
})

it('opens a value that was stored before a key was set', () => {
  expect(createSecretBox('a key of some length').open(createSecretBox(undefined).seal('door'))).toBe('door')
})
