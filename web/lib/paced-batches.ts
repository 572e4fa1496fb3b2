/** Shortest time between the starts of two batches. */
const PACE_MS = 500
/** The pause after a batch, in multiples of the time that it took: a slow server is left idle for two thirds of it. */
const PAUSE_FACTOR = 2
/** The longest that a batch that does not end, such as one without a response, and then the pause delay the next. */
const LONGEST_MS = 5_000

/**
 * Returns a function that passes items to `work` in batches: the first at once, and then, when a batch has ended, all
 * that have come meanwhile, after a pause that grows with the time that it took.
 */
export function createPacedBatches<T>(work: (items: readonly T[]) => Promise<unknown>): (items: readonly T[]) => void {
  let waiting: T[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    try {
      while (waiting.length > 0) {
        const batch = waiting
        waiting = []
        const started = performance.now()
        await Promise.race([work(batch), pause(LONGEST_MS)])
        const took = performance.now() - started
        await pause(Math.max(PACE_MS - took, Math.min(PAUSE_FACTOR * took, LONGEST_MS)))
      }
    } finally {
      // After a fault in `work`, the next items begin again.
      isRunning = false
    }
  }

  return (items) => {
    waiting.push(...items)
    if (!isRunning) void run()
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
