import { getServerTime } from '#web/lib/server-time.ts'

let lastInputAt = Date.now()
let idleEnd: number | undefined

/** What counts as input. Clicks too, because speech software makes them without a pointer or a key. */
const inputEvents = ['pointerdown', 'keydown', 'wheel', 'click'] as const

/** Calls the listener on every input in this tab. Returns a function that stops it. */
export function onInput(listener: () => void): () => void {
  const stop = new AbortController()
  for (const event of inputEvents)
    globalThis.window?.addEventListener(event, listener, { capture: true, passive: true, signal: stop.signal })
  return () => stop.abort()
}

onInput(() => (lastInputAt = Date.now()))

/** Returns the seconds since the last input in this tab. Requests that the tab sends by itself do not count as use. */
export const readIdleSeconds = () => Math.floor((Date.now() - lastInputAt) / 1000)

/** Learns from a response when the session ends if nobody uses it meanwhile, in this tab or another (rules §33.5). */
export function learnIdleEnd(instant: string | null): void {
  idleEnd = instant === null ? undefined : Date.parse(instant)
}

/** Returns when the session ends, as an instant, if that is within `ms`; undefined if it is later or not known. */
export function findIdleEnd(ms: number): string | undefined {
  if (idleEnd === undefined || idleEnd - getServerTime().getTime() > ms) return undefined
  return new Date(idleEnd).toISOString()
}
