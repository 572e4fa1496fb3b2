import { expect, it } from 'vitest'
import { createBoundedQueue } from './bounded-queue.ts'
import { createHeldWork } from './testing/held-work.ts'

it('limits how much work runs and waits, keeps the order, and refuses any more', async () => {
  const queue = createBoundedQueue({ atOnce: 2, waiting: 3 })
  const held = createHeldWork()
  const begun: number[] = []
  const inside = [0, 1, 2, 3, 4].map((number) =>
    queue(async () => {
      begun.push(number)
      await held.work()
      return number
    }),
  )
  await expect(queue(async () => 'too many')).rejects.toMatchObject({
    code: 'overloaded',
    details: { retryAfterSeconds: 2 },
  })
  expect(begun).toEqual([0, 1])
  held.release()
  expect(await Promise.all(inside)).toEqual([0, 1, 2, 3, 4])
  expect(begun).toEqual([0, 1, 2, 3, 4])
  expect(await queue(async () => 'again')).toBe('again')
})

it('frees the place of work that fails', async () => {
  const queue = createBoundedQueue({ atOnce: 1, waiting: 0 })
  await expect(queue(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await queue(async () => 'next')).toBe('next')
})
