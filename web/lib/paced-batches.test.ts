import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPacedBatches } from './paced-batches.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** Returns the batches so far, of which each takes this long, and the function that adds items. */
function start(milliseconds: number) {
  const batches: (readonly number[])[] = []
  const add = createPacedBatches(async (items: readonly number[]) => {
    batches.push(items)
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
  })
  return { batches, add }
}

describe('paced batches', () => {
  it('begin at once, and then at most every half second with all that has come meanwhile', async () => {
    const { batches, add } = start(0)
    add([1])
    expect(batches).toEqual([[1]])
    for (const item of [2, 3]) add([item])
    await vi.advanceTimersByTimeAsync(490)
    expect(batches).toEqual([[1]])
    await vi.advanceTimersByTimeAsync(20)
    expect(batches).toEqual([[1], [2, 3]])
    await vi.advanceTimersByTimeAsync(2_000)
    add([4])
    expect(batches).toEqual([[1], [2, 3], [4]])
  })

  it('never overlap, and are followed by a pause twice as long as they took', async () => {
    const { batches, add } = start(1_000)
    add([1])
    add([2])
    await vi.advanceTimersByTimeAsync(2_990)
    expect(batches).toEqual([[1]])
    await vi.advanceTimersByTimeAsync(20)
    expect(batches).toEqual([[1], [2]])
  })

  it('continue after one that never ends', async () => {
    const { batches, add } = start(3_600_000)
    add([1])
    add([2])
    await vi.advanceTimersByTimeAsync(9_500)
    expect(batches).toEqual([[1]])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(batches).toEqual([[1], [2]])
  })
})
