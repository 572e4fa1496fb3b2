import type { LiveChange, LiveEditors } from '#contract/live.ts'
import { ApiError } from './api-error.ts'
import { send } from './client.ts'
import { type Connection, setConnection } from './connection.ts'
import { getSession, isSamePerson, subscribeSession, updateAccess } from './session.ts'

/**
 * The live stream: one a browser, as HTTP/1.1 allows six connections. The tab that holds the lock reads it and passes
 * everything on to the others; when it is closed, another takes over.
 */

export type LiveEvent =
  | { event: 'changes'; data: LiveChange[] }
  | { event: 'editing'; data: LiveEditors }
  /** Changes may have been missed: everything on the screen is asked for again. */
  | { event: 'missed' }

type Message =
  | LiveEvent
  | { event: 'pages' | 'viewOnlyPages'; data: number[] }
  | { event: 'locations'; data: string[] | null }
  | { event: 'ready' }
  | { event: 'connection'; data: Connection }
  /** Of a new tab, which asks how things are. */
  | { event: 'hello' }

const NAME = 'podkeeper-live'
const RECONNECT_AFTER_MS = [300, 1_000, 2_000, 4_000, 8_000, 15_000] as const
/** The server gives a sign of life every 15 seconds. */
const SILENT_MS = 40_000
/** A server that restarts is away for a moment, of which nobody needs to hear. */
const FAILURES_UNTIL_SAID = 2

/** Reads the stream, or what another tab reads of it, while someone is signed in. */
export function startLive(listener: (event: LiveEvent) => void): () => void {
  let stop: (() => void) | undefined
  let listening: ReturnType<typeof getSession>
  const follow = () => {
    const session = getSession()
    // Who sees what a colleague sees reads the colleague's stream.
    const last = listening
    listening = session?.mustSetUp ? undefined : session
    if (isSamePerson(listening, last)) return
    stop?.()
    stop = listening && joinTabs(listener)
  }
  follow()
  const unsubscribe = subscribeSession(follow)
  return () => {
    unsubscribe()
    stop?.()
  }
}

function joinTabs(listener: (event: LiveEvent) => void): () => void {
  const leave = new AbortController()
  const channel = new BroadcastChannel(NAME)
  let connection: Connection = 'connected'
  let isLeader = false

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  const tellOthers = (message: Message) => channel.postMessage(message)

  function receive(message: Message): void {
    switch (message.event) {
      case 'connection':
        return setConnection(message.data)
      case 'pages':
      case 'viewOnlyPages':
        return updateAccess({ [message.event]: message.data })
      case 'locations':
        updateAccess({ locations: message.data })
        // What is shown is of the locations of before.
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

  // Only tabs of the portal speak here.
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => receive(data))
  tellOthers({ event: 'hello' })
  void requestLock(leave.signal, (isFirst) => {
    isLeader = true
    return keepReading(tellAll, isFirst, leave.signal)
  })
  return () => {
    leave.abort()
    channel.close()
    setConnection('connected')
  }
}

/** Runs `lead` once this tab is the one that reads; at once, as the first, where no other does. */
async function requestLock(signal: AbortSignal, lead: (isFirst: boolean) => Promise<void>): Promise<void> {
  // Without locks, as on a page that came without encryption, every tab reads its own.
  if (!('locks' in navigator)) return lead(true)
  const hasLed = await navigator.locks.request(NAME, { ifAvailable: true }, async (lock) => {
    if (lock) await lead(true)
    return lock !== null
  })
  if (hasLed || signal.aborted) return
  await navigator.locks
    .request(NAME, { signal }, () => lead(false))
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
}

/** Reads one stream after the other until it is told to stop. */
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
      // What cannot be read is no reason to stop the portal; the next stream may be.
      if (!(error instanceof Error)) throw error
    }
    failures += 1
    if (!navigator.onLine) tellAll({ event: 'connection', data: 'offline' })
    else if (failures >= FAILURES_UNTIL_SAID) tellAll({ event: 'connection', data: 'unreachable' })
    await pause(RECONNECT_AFTER_MS[Math.min(failures, RECONNECT_AFTER_MS.length) - 1] ?? 0, signal)
  }
}

/** Ends when the stream does, or throws; both when the browser loses its network. */
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
  // The server writes these alone.
  return event === undefined || data === undefined ? undefined : ({ event, data: JSON.parse(data) } as Message)
}

/** Ends early when the browser has its network back. The length varies, so that not all come back at once. */
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
