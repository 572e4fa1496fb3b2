/** Whether people and systems call meanwhile: what works for long and without a pause, as a file, gives way to them. */
export type Foreground = {
  /** Told of every call as it begins. */
  noteCall(): void
  isBusy(): boolean
}

/** Someone who has called will call again soon: a screen asks for several things, a person types on. */
const BUSY_FOR_MS = 250

export function createForeground(now: () => number = () => performance.now()): Foreground {
  let lastCallAt = Number.NEGATIVE_INFINITY
  return {
    noteCall() {
      lastCallAt = now()
    },
    isBusy: () => now() - lastCallAt < BUSY_FOR_MS,
  }
}
