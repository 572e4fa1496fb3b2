import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { z } from 'zod'
import {
  EditedRecordSchema,
  type Editor,
  EditorSchema,
  type LiveChange,
  LiveChangeSchema,
  type LiveEditors,
} from '#contract/live.ts'
import { type LiveEntity, livePages } from '#contract/live-entities.ts'
import type { Clock } from '#server/clock.ts'
import type { SignedIn } from '#server/context.ts'
import { MAX_PAYLOAD_BYTES, type Notifications } from '#server/db/notifications.ts'
import { createEditors, type EditingTab } from './editors.ts'

export const LIVE_CHANNEL = 'live'
/** How long changes are collected after the first … */
const BATCH_MS = 50
/** … and between batches while they keep coming: each batch costs a write for every listener. */
const BATCH_GAP_MS = 250
/** More of one kind at once are not listed: whoever shows that kind asks for all of it. */
const MAX_LISTED = 200
/** What waits for a listener that does not read; one with more is dropped, and connects anew. */
const MAX_WAITING_BYTES = 256 * 1024
const MAX_STREAMS_OF_SESSION = 20
const PING_EVERY_MS = 15_000
const CHECK_SESSIONS_EVERY_MS = 60_000
const EXPIRE_EVERY_MS = 5_000
const RETRY_NOTIFY_AFTER_MS = 1_000

type Listener = { session: SignedIn; stream: Readable }

/** What one server tells the others; another version of the software may tell more. */
const ServerMessageSchema = z.object({
  from: z.string(),
  changes: z.optional(z.array(LiveChangeSchema)),
  editing: z.optional(
    z.object({ session: z.string(), tab: z.string(), editor: EditorSchema, record: z.nullable(EditedRecordSchema) }),
  ),
  /** Changes that could not be told. */
  isIncomplete: z.optional(z.boolean()),
})
type ServerMessage = z.infer<typeof ServerMessageSchema>

export type Live = {
  /** Tells everyone who may read the records; after the commit, and never in a transaction. */
  publish(changes: readonly LiveChange[]): void
  /** The events that a session may learn of, as text. */
  open(session: SignedIn): Promise<Readable>
  /** Returns who else has the record open. */
  edit(session: SignedIn, tab: Pick<EditingTab, 'tab' | 'record'>): Editor[]
  /** Ends the streams of ended sessions, and follows changed pages. */
  checkSessions(ofStaff?: ReadonlySet<string>): Promise<void>
  expireEditors(): void
  countListeners(): number
  /** Ends all streams, for good. */
  close(): void
}

type LiveOptions = {
  notifications: Notifications
  clock: Clock
  findSession: (tokenHash: Buffer) => Promise<SignedIn | undefined>
}

/** Tells open screens what has changed: the listeners of this server, and through it those of the others. */
export function createLive({ notifications, clock, findSession }: LiveOptions): Live {
  const serverId = randomUUID()
  const listeners = new Set<Listener>()
  const editors = createEditors(clock)
  let collected: LiveChange[] = []
  let batchTimer: NodeJS.Timeout | undefined
  let lastBatchAt = 0
  let timers: NodeJS.Timeout[] = []
  let subscription: Promise<unknown> | undefined
  let retryTimer: NodeJS.Timeout | undefined
  let sending: Promise<unknown> = Promise.resolve()
  let isClosed = false

  const mayRead = ({ session }: Listener, entity: LiveEntity) =>
    livePages[entity].some((page) => session.pages.includes(page))

  function send(listener: Listener, text: string): void {
    listener.stream.push(text)
    if (listener.stream.readableLength > MAX_WAITING_BYTES) drop(listener)
  }

  function drop(listener: Listener): void {
    listeners.delete(listener)
    listener.stream.destroy()
  }

  function end(listener: Listener): void {
    listeners.delete(listener)
    listener.stream.push(null)
  }

  const toText = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

  function sendToAll(text: string): void {
    for (const listener of listeners) send(listener, text)
  }

  function deliverChanges(changes: readonly LiveChange[]): void {
    // Once for all who hold the same pages.
    const texts = new Map<string, string>()
    for (const listener of listeners) {
      const key = listener.session.pages.join()
      let text = texts.get(key)
      if (text === undefined) {
        const readable = changes.filter(({ entity }) => mayRead(listener, entity))
        text = readable.length === 0 ? '' : toText('changes', readable)
        texts.set(key, text)
      }
      if (text !== '') send(listener, text)
    }
    const staff = new Set(changes.flatMap(({ entity, id }) => (entity === 'staff' && id !== undefined ? [id] : [])))
    // A blocked account or changed pages count at once.
    if (staff.size > 0) void checkSessions(staff)
  }

  function deliverEditors(changed: readonly LiveEditors[]): void {
    for (const record of changed) {
      const text = toText('editing', record)
      for (const listener of listeners) if (mayRead(listener, record.entity)) send(listener, text)
    }
  }

  function sendBatch(): void {
    batchTimer = undefined
    lastBatchAt = performance.now()
    const changes = shorten(collected)
    collected = []
    deliverChanges(changes)
    for (const part of splitChanges(changes)) notify({ changes: part })
  }

  /** One after the other: on connections of their own, a form would be closed before it is opened. */
  function notify(message: Omit<ServerMessage, 'from'>): void {
    const payload = JSON.stringify({ from: serverId, ...message })
    sending = sending
      .then(() => notifications.notify(LIVE_CHANNEL, payload))
      .catch(() => {
        // The database is away: screens of other servers are told to ask for everything, once it is back.
        retryTimer ??= setTimeout(() => {
          retryTimer = undefined
          if (!isClosed) notify({ isIncomplete: true })
        }, RETRY_NOTIFY_AFTER_MS).unref()
      })
  }

  function receive(payload: string | undefined): void {
    const message = payload === undefined ? undefined : ServerMessageSchema.safeParse(parseJson(payload)).data
    if (message?.from === serverId) return
    if (message?.changes) deliverChanges(message.changes)
    if (message?.editing) deliverEditors(editors.set(message.editing))
    if (message === undefined || message.isIncomplete) sendToAll(toText('missed', {}))
  }

  async function checkSessions(ofStaff?: ReadonlySet<string>): Promise<void> {
    for (const listener of listeners) {
      const { tokenHash, staff, pages, viewOnlyPages } = listener.session
      if (ofStaff && !ofStaff.has(staff._id)) continue
      // The database is away: looked at again in a minute.
      const session = await findSession(tokenHash).catch(() => listener.session)
      if (session === undefined) {
        end(listener)
        continue
      }
      listener.session = session
      if (session.viewOnlyPages.join() !== viewOnlyPages.join()) {
        send(listener, toText('viewOnlyPages', session.viewOnlyPages))
      }
      if (session.pages.join() !== pages.join()) send(listener, toText('pages', session.pages))
    }
  }

  const expireEditors = () => deliverEditors(editors.expire())

  /** For as long as the server runs, from its first listener on. */
  async function start(): Promise<void> {
    timers = [
      setInterval(() => sendToAll(': ping\n\n'), PING_EVERY_MS),
      setInterval(() => void checkSessions(), CHECK_SESSIONS_EVERY_MS),
      setInterval(expireEditors, EXPIRE_EVERY_MS),
    ]
    for (const timer of timers) timer.unref()
    await notifications.listen(LIVE_CHANNEL, receive)
  }

  return {
    publish(changes) {
      if (isClosed || changes.length === 0) return
      collected.push(...changes.map(({ entity, id, version, tab }) => ({ entity, id, version, tab })))
      const sinceLast = performance.now() - lastBatchAt
      batchTimer ??= setTimeout(sendBatch, Math.max(BATCH_MS, BATCH_GAP_MS - sinceLast))
    },

    async open(session) {
      await (subscription ??= start())
      const stream = new Readable({ read: () => undefined })
      const listener: Listener = { session, stream }
      if (isClosed) {
        stream.push(null)
        return stream
      }
      const ofSession = [...listeners].filter((other) => other.session.tokenHash.equals(session.tokenHash))
      for (const oldest of ofSession.slice(0, -MAX_STREAMS_OF_SESSION + 1)) end(oldest)
      listeners.add(listener)
      stream.once('close', () => listeners.delete(listener))
      send(listener, toText('ready', {}))
      for (const record of editors.all()) {
        if (mayRead(listener, record.entity)) send(listener, toText('editing', record))
      }
      return stream
    },

    edit({ tokenHash, staff }, { tab, record }) {
      const editor = { _id: staff._id, name: staff.firstname || staff.lastname }
      const editing = { session: tokenHash.toString('base64url'), tab, editor, record }
      deliverEditors(editors.set(editing))
      notify({ editing })
      return record === null ? [] : editors.list(record).filter(({ _id }) => _id !== staff._id)
    },

    checkSessions,
    expireEditors,
    countListeners: () => listeners.size,

    close() {
      isClosed = true
      clearTimeout(batchTimer)
      for (const timer of timers) clearInterval(timer)
      for (const listener of listeners) end(listener)
    },
  }
}

/** Of kinds with too many changes, only that there are some. */
function shorten(changes: readonly LiveChange[]): LiveChange[] {
  const counts = new Map<LiveEntity, number>()
  for (const { entity } of changes) counts.set(entity, (counts.get(entity) ?? 0) + 1)
  const isListed = ({ entity }: LiveChange) => (counts.get(entity) ?? 0) <= MAX_LISTED
  const others = [...counts].filter(([, count]) => count > MAX_LISTED).map(([entity]) => ({ entity }))
  return [...changes.filter(isListed), ...others]
}

/** In parts that one notification can carry, with room for what stands around them. */
function splitChanges(changes: readonly LiveChange[]): LiveChange[][] {
  const parts: LiveChange[][] = []
  let room = 0
  for (const change of changes) {
    const bytes = Buffer.byteLength(JSON.stringify(change)) + 1
    if (bytes > room) {
      parts.push([])
      room = MAX_PAYLOAD_BYTES - 100
    }
    parts.at(-1)?.push(change)
    room -= bytes
  }
  return parts
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
