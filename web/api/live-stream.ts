import type { LiveChange, LiveEditors } from '#contract/live.ts'
import { ApiError } from './api-error.ts'
import { send } from './client.ts'
import { type Connection, setConnection } from './connection.ts'
import { getKept, getSession, isSamePerson, subscribeSession, updateAccess } from './session.ts'

/**
 * The live stream. A browser reads only one, because HTTP/1.1 allows six connections: the tab that holds a lock reads
 * it and passes every event to the other tabs. When that tab is closed, another takes over.
 */

export type LiveEvent =
  | { event: 'changes'; data: LiveChange[] }
  | { event: 'editing'; data: LiveEditors }
  /** Changes may have been missed: everything on the screen must be refetched. */
  | { event: 'missed' }

type Message =
  | LiveEvent
  | { event: 'pages' | 'viewOnlyPages'; data: number[] }
  | { event: 'locations'; data: string[] | null }
  | { event: 'ready' }
  | { event: 'connection'; data: Connection }
  /** Sent by a new tab, to learn the state of the connection. */
  | { event: 'hello' }

const NAME = 'podkeeper-live'
const RECONNECT_AFTER_MS = [300, 1_000, 2_000, 4_000, 8_000, 15_000] as const
/** Silence after which the stream counts as broken. The server sends something at least every 15 seconds. */
const SILENT_MS = 40_000
/** The first failure is not shown, because a restarting server is back in a moment. */
const FAILURES_UNTIL_SAID = 2

/** Listens to the stream, directly or through another tab, while someone is signed in. Returns a function to stop. */
export function startLive(listener: (event: LiveEvent) => void): () => void {
  let stop: (() => void) | undefined
  let listening: ReturnType<typeof getSession>
  let isFrozen = false
  const follow = () => {
    const session = getSession()
    // Viewing as a colleague counts as another person, whose stream is then read.
    const last = listening
    // With a session that is kept every attempt would be refused, which is no lost connection.
    listening = session?.mustSetUp || getKept() || isFrozen ? undefined : session
    if (isSamePerson(listening, last)) return
    stop?.()
    stop = listening && joinTabs(listener)
  }
  // A tab that the browser freezes in the background reads nothing, so another has to. It catches up when it goes on.
  const freeze = () => {
    isFrozen = true
    follow()
  }
  const resume = () => {
    isFrozen = false
    follow()
    listener({ event: 'missed' })
  }
  follow()
  const unsubscribe = subscribeSession(follow)
  document.addEventListener('freeze', freeze)
  document.addEventListener('resume', resume)
  return () => {
    document.removeEventListener('freeze', freeze)
    document.removeEventListener('resume', resume)
    unsubscribe()
    stop?.()
  }
}

function joinTabs(listener: (event: LiveEvent) => void): () => void {
  const leave = new AbortController()
  const channel = openChannel()
  let connection: Connection = 'connected'
  let isLeader = false

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  const tellOthers = (message: Message) => channel?.postMessage(message)

  function receive(message: Message): void {
    switch (message.event) {
      case 'connection':
        return setConnection(message.data)
      case 'pages':
      case 'viewOnlyPages':
        return updateAccess({ [message.event]: message.data })
      case 'locations':
        updateAccess({ locations: message.data })
        // The data on the screen was read for the previous locations.
        return listener({ event: 'missed' })
      case 'hello':
        if (isLeader) tellOthers({ event: 'connection', data: connection })
        return
      case 'ready':
        return
      default:
        listener(message)
    }
  }

  function tellAll(message: Message): void {
    if (message.event === 'connection') connection = message.data
    tellOthers(message)
    receive(message)
  }

  // Only tabs of the portal post to this channel.
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data))
  tellOthers({ event: 'hello' })
  const lead = (isFirst: boolean) => {
    isLeader = true
    return keepReading(tellAll, isFirst, leave.signal)
  }
  void (channel ? requestLock(leave.signal, lead) : lead(true))
  return () => {
    leave.abort()
    channel?.close()
    setConnection('connected')
  }
}

/** Returns undefined where the browser refuses it, as some do while they block cookies: each tab is then on its own. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(NAME)
  } catch {
    return undefined
  }
}

/** Runs `lead` as soon as this tab may read the stream; `isFirst` is true when no other tab was reading it. */
async function requestLock(signal: AbortSignal, lead: (isFirst: boolean) => Promise<void>): Promise<void> {
  // Without HTTPS there are no locks, and every tab reads its own stream.
  if (!('locks' in navigator)) return lead(true)
  const hasLed = await navigator.locks
    .request(NAME, { ifAvailable: true }, async (lock) => {
      if (lock) await lead(true)
      return lock !== null
    })
    .catch(async (error: unknown) => {
      // Locks are refused as storage is, while cookies are blocked.
      if (!(error instanceof DOMException && error.name === 'SecurityError')) throw error
      await lead(true)
      return true
    })
  if (hasLed || signal.aborted) return
  await navigator.locks
    .request(NAME, { signal }, () => lead(false))
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
}

/** Reads the stream, and reconnects whenever it ends, until `signal` is aborted. */
async function keepReading(tellAll: (message: Message) => void, isFirst: boolean, signal: AbortSignal): Promise<void> {
  let failures = 0
  let hasMissed = !isFirst
  while (!signal.aborted) {
    try {
      await readStream((message) => {
        if (message.event !== 'ready') return tellAll(message)
        failures = 0
        tellAll({ event: 'connection', data: 'connected' })
        if (hasMissed) tellAll({ event: 'missed' })
        hasMissed = true
      }, signal)
    } catch (error) {
      if (signal.aborted) return
      // A failed stream must not break the portal, and the next one may succeed.
      if (!(error instanceof Error)) throw error
    }
    failures += 1
    if (!navigator.onLine) tellAll({ event: 'connection', data: 'offline' })
    else if (failures >= FAILURES_UNTIL_SAID) tellAll({ event: 'connection', data: 'unreachable' })
    await pause(RECONNECT_AFTER_MS[Math.min(failures, RECONNECT_AFTER_MS.length) - 1] ?? 0, signal)
  }
}

/** Reads one stream until it ends. Throws when it fails, stays silent, or the browser loses its network. */
async function readStream(receive: (message: Message) => void, signal: AbortSignal): Promise<void> {
  const silence = new AbortController()
  const giveUp = () => silence.abort(new ApiError({ status: 0, code: 'network', message: 'The live stream is silent' }))
  let timer = setTimeout(giveUp, SILENT_MS)
  window.addEventListener('offline', giveUp)
  try {
    const response = await send(
      'live',
      'stream',
      { signal: AbortSignal.any([signal, silence.signal]) },
      { accept: 'text/event-stream' },
    )
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done || value === undefined) return
      clearTimeout(timer)
      timer = setTimeout(giveUp, SILENT_MS)
      const blocks = (rest + value).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const message = parseEvent(block)
        if (message) receive(message)
      }
    }
  } finally {
    clearTimeout(timer)
    window.removeEventListener('offline', giveUp)
  }
}

function parseEvent(block: string): Message | undefined {
  const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
  // The server sends only these messages.
  return event === undefined || data === undefined ? undefined : ({ event, data: JSON.parse(data) } as Message)
}

/** Waits, but no longer than until the network is back. Varies the time, so that not all clients reconnect at once. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds * (0.75 + Math.random() / 2))
    window.addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
}
