import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type JobLog, startPeriodic } from './periodic.ts'

const log = { info: vi.fn<JobLog['info']>(), error: vi.fn<JobLog['error']>() }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.clearAllMocks()
})

describe('startPeriodic', () => {
  it('runs at once and then each time so long after the last run has ended', async () => {
    const run = vi.fn<() => Promise<number>>(() => new Promise((resolve) => setTimeout(() => resolve(0), 400)))
    const stop = startPeriodic({ name: 'test', everyMs: 1000, run, log })
    expect(run).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1399)
    expect(run).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(run).toHaveBeenCalledTimes(2)
    const stopped = stop()
    await vi.advanceTimersByTimeAsync(400)
    await stopped
    await vi.advanceTimersByTimeAsync(10_000)
    expect(run).toHaveBeenCalledTimes(2)
  })

  it('waits for its first run when it is told to, and not at all when it is stopped before', async () => {
    const run = vi.fn<() => Promise<number>>().mockResolvedValue(0)
    const stop = startPeriodic({ name: 'test', everyMs: 1000, firstAfterMs: 300, run, log })
    const other = startPeriodic({ name: 'other', everyMs: 1000, firstAfterMs: 300, run, log })
    await other()
    await vi.advanceTimersByTimeAsync(299)
    expect(run).toHaveBeenCalledTimes(0)
    await vi.advanceTimersByTimeAsync(1001)
    expect(run).toHaveBeenCalledTimes(2)
    await stop()
  })

  it('says what it did and what failed, and goes on', async () => {
    const failure = new Error('the database is away')
    const run = vi
      .fn<() => Promise<number>>()
      .mockRejectedValueOnce(failure)
      .mockResolvedValueOnce(3)
      .mockResolvedValue(0)
    const stop = startPeriodic({ name: 'test', everyMs: 1000, run, log })
    await vi.advanceTimersByTimeAsync(2500)
    await stop()
    expect(run).toHaveBeenCalledTimes(3)
    expect(log.error.mock.calls).toEqual([[{ job: 'test', err: failure }, 'job failed']])
    expect(log.info.mock.calls).toEqual([[{ job: 'test', changed: 3 }, 'job done']])
  })

  it('waits, when it is stopped, for a run that is under way', async () => {
    let ended = false
    const run = () =>
      new Promise<number>((resolve) => {
        setTimeout(() => {
          ended = true
          resolve(1)
        }, 50)
      })
    const stop = startPeriodic({ name: 'test', everyMs: 1000, run, log })
    const stopped = stop()
    await vi.advanceTimersByTimeAsync(50)
    await stopped
    expect(ended).toBe(true)
  })
})
