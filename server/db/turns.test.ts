import { expect, it } from 'vitest'
import { createTurns } from './turns.ts'

const LONG_MS = 60_000

const nextTick = () => new Promise((resolve) => setImmediate(resolve))

/** Work that goes on until it is told to end, and notes its beginning. */
function createWork(begun: string[]) {
  const ends = new Map<string, () => void>()
  return {
    begin: (name: string) => () => {
      begun.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    },
    end: async (name: string) => {
      ends.get(name)?.()
      await nextTick()
    },
  }
}

it('lets so many work at a time, the others in the order in which they came', async () => {
  const turns = createTurns(2, LONG_MS)
  const begun: string[] = []
  const { begin, end } = createWork(begun)
  const { signal } = new AbortController()
  const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => turns.run(signal, begin(name))))
  await nextTick()
  expect(begun).toEqual(['a', 'b'])
  await end('b')
  expect(begun).toEqual(['a', 'b', 'c'])
  for (const name of ['a', 'c', 'd', 'e']) await end(name)
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(await all).toEqual(['a', 'b', 'c', 'd', 'e'])
})

it('gives the place of work that fails to the next, and is as free afterwards as before', async () => {
  const turns = createTurns(1, LONG_MS)
  const { signal } = new AbortController()
  const fail = () => turns.run(signal, () => Promise.reject(new Error('broken')))
  expect(await Promise.allSettled([fail(), fail(), turns.run(signal, () => Promise.resolve(1))])).toEqual([
    { status: 'rejected', reason: new Error('broken') },
    { status: 'rejected', reason: new Error('broken') },
    { status: 'fulfilled', value: 1 },
  ])
  expect(await turns.run(signal, () => Promise.resolve(2))).toBe(2)
})

it('does not begin what was given up while it waited, and keeps no place for it', async () => {
  const turns = createTurns(1, LONG_MS)
  const begun: string[] = []
  const { begin, end } = createWork(begun)
  const [stays, leaves] = [new AbortController(), new AbortController()]
  const first = turns.run(stays.signal, begin('first'))
  const gone = turns.run(leaves.signal, begin('gone'))
  const last = turns.run(stays.signal, begin('last'))
  leaves.abort()
  await expect(gone).rejects.toHaveProperty('name', 'AbortError')
  await expect(turns.run(leaves.signal, begin('late'))).rejects.toHaveProperty('name', 'AbortError')
  await end('first')
  expect(begun).toEqual(['first', 'last'])
  await end('last')
  expect(await Promise.all([first, last])).toEqual(['first', 'last'])
})

it('says that a turn has not come in time', async () => {
  const turns = createTurns(1, 20)
  const begun: string[] = []
  const { begin, end } = createWork(begun)
  const { signal } = new AbortController()
  const first = turns.run(signal, begin('first'))
  await expect(turns.run(signal, begin('second'))).rejects.toHaveProperty('name', 'TimeoutError')
  await end('first')
  await first
  expect(begun).toEqual(['first'])
})
