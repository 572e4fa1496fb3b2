/** Whether people and systems call meanwhile: what works for long and without a pause, as a file, gives way to them. */
export type Foreground = {
  /** Told of every call as it begins. */
  noteRequest(): void
  isBusy(): boolean
}

/** Someone who has called will call again soon: a screen asks for several things, a person types on. */
const BUSY_FOR_MS = 250

export function createForeground(now: () => number = () => performance.now()): Foreground {
  let lastRequestAt = Number.NEGATIVE_INFINITY
  return {
    noteRequest() {
      lastRequestAt = now()
    },
    isBusy: () => now() - lastRequestAt < BUSY_FOR_MS,
  }
}
