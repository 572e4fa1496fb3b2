import { expect, it } from 'vitest'
import { createForeground } from './foreground.ts'

it('is busy for a while after each call', () => {
  let now = 10_000
  const foreground = createForeground(() => now)
  expect(foreground.isBusy()).toBe(false)
  foreground.noteRequest()
  now += 249
  expect(foreground.isBusy()).toBe(true)
  foreground.noteRequest()
  now += 249
  expect(foreground.isBusy()).toBe(true)
  now += 1
  expect(foreground.isBusy()).toBe(false)
})
