/** Work that is done by a few at a time, in the order in which it was asked for. */
export type Turns = { run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> }

/**
 * Lets `most` work at a time. Who goes away while waiting loses the place, and is not begun: rejects with the signal's
 * reason then, and with a TimeoutError when its turn has not come after `longestMs`.
 */
export function createTurns(most: number, longestMs: number): Turns {
  let atWork = 0
  const waiting = new Set<() => void>()

  async function begin(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (atWork < most) {
      atWork += 1
      return
    }
    const until = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(start)
        reject(until.reason as Error)
      }
      const start = () => {
        until.removeEventListener('abort', leave)
        waiting.delete(start)
        resolve()
      }
      until.addEventListener('abort', leave, { once: true })
      waiting.add(start)
    })
  }

  /** The place goes over to who came first, or is free. */
  function end(): void {
    const [first] = waiting
    if (first) first()
    else atWork -= 1
  }

  return {
    async run(signal, work) {
      await begin(signal)
      try {
        return await work()
      } finally {
        end()
      }
    },
  }
}
