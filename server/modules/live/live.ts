import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { LiveEntity } from '#contract/audit-entities.ts'
import {
  EditedRecordSchema,
  type Editor,
  EditorSchema,
  type LiveChange,
  LiveChangeSchema,
  type LiveEditors,
} from '#contract/live.ts'
import type { Clock } from '#server/clock.ts'
import type { Person } from '#server/context.ts'
import { MAX_PAYLOAD_BYTES, type Notifications } from '#server/db/notifications.ts'
import { createEditors, type EditingTab } from './editors.ts'
import { chooseSeen, type ListSeen, mayRead, type Told, toToldChanges } from './who-is-told.ts'

export const LIVE_CHANNEL = 'live'
/** How long changes are collected after the first one. */
const BATCH_MS = 50
/** The minimum time between two batches, as each batch costs a write per listener. */
const BATCH_GAP_MS = 250
/** More changes of one kind in a batch are not listed: screens that show that kind reload all of it. */
const MAX_LISTED = 200
/** The most that is buffered for a listener that does not read. Beyond it the listener is dropped, and reconnects. */
const MAX_WAITING_BYTES = 256 * 1024
const MAX_STREAMS_OF_SESSION = 20
const PING_EVERY_MS = 15_000
const CHECK_SESSIONS_EVERY_MS = 60_000
const EXPIRE_EVERY_MS = 5_000
const RETRY_NOTIFY_AFTER_MS = 1_000

type Listener = { session: Person; stream: Readable }

const PublishedChangeSchema = z.object({
  ...LiveChangeSchema.shape,
  /** The location that the record was moved away from: staff who have it are told too, but not this id. */
  left: z.optional(z.string()),
})
export type PublishedChange = z.infer<typeof PublishedChangeSchema>

/** What one server tells the others. Another version of the software may send more fields. */
const ServerMessageSchema = z.object({
  from: z.string(),
  changes: z.optional(z.array(PublishedChangeSchema)),
  editing: z.optional(
    z.object({ session: z.string(), tab: z.string(), editor: EditorSchema, record: z.nullable(EditedRecordSchema) }),
  ),
  /** True when some changes could not be sent to the other servers. */
  isIncomplete: z.optional(z.boolean()),
})
type ServerMessage = z.infer<typeof ServerMessageSchema>

export type Live = {
  /** Tells everyone whose screens may show the records. Must be called after the commit, never within a transaction. */
  publish(changes: readonly PublishedChange[]): void
  /** Opens the stream of the events that a session may see. */
  open(session: Person): Promise<Readable>
  /** Returns who else has the record open. */
  edit(session: Person, tab: Pick<EditingTab, 'tab' | 'record'>): Editor[]
  /** Ends the streams of ended sessions, and applies changes of pages and locations to the others. */
  checkSessions(ofStaff?: ReadonlySet<string>): Promise<void>
  expireEditors(): void
  countListeners(): number
  /** Ends all streams; later ones end at once. Other servers are told of what is published even after that. */
  close(): void
  /** Tells other servers what they have not been told yet. Must be called before the database is closed. */
  flush(): Promise<void>
}

type LiveOptions = {
  notifications: Notifications
  clock: Clock
  findSession: (tokenHash: Buffer) => Promise<Person | undefined>
  listSeen: ListSeen
}

/** Creates the hub that tells open screens what has changed, on this server and, by notifications, on the others. */
export function createLive({ notifications, clock, findSession, listSeen }: LiveOptions): Live {
  const serverId = randomUUID()
  const listeners = new Set<Listener>()
  const editors = createEditors(clock)
  let collected: PublishedChange[] = []
  let batchTimer: NodeJS.Timeout | undefined
  let lastBatchAt = 0
  let timers: NodeJS.Timeout[] = []
  let subscription: Promise<unknown> | undefined
  let retryTimer: NodeJS.Timeout | undefined
  let sending: Promise<unknown> = Promise.resolve()
  let tellingSome: Promise<unknown> = Promise.resolve()
  let isClosed = false

  function send(listener: Listener, text: string): void {
    if (text === '') return
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

  function toChangesText({ session }: Listener, changes: readonly PublishedChange[]): string {
    const told = toToldChanges(session, changes)
    return told.length === 0 ? '' : toText('changes', told)
  }

  function deliverChanges(changes: readonly PublishedChange[]): void {
    // One text for all listeners with the same pages.
    const texts = new Map<string, string>()
    for (const listener of listeners) {
      if (listener.session.locations) continue
      const key = listener.session.pages.join()
      let text = texts.get(key)
      if (text === undefined) {
        text = toChangesText(listener, changes)
        texts.set(key, text)
      }
      send(listener, text)
    }
    tellSome(listeners, changes, toChangesText)
    const staff = new Set(changes.flatMap(({ entity, id }) => (entity === 'staff' && id !== undefined ? [id] : [])))
    // Blocked accounts and changed pages take effect at once.
    if (staff.size > 0) void checkSessions(staff)
    // Staff who have to set up a second factor first get no more events.
    if (changes.some(({ entity }) => entity === 'policy')) void checkSessions()
  }

  function deliverEditors(changed: readonly LiveEditors[], to: Iterable<Listener> = listeners): void {
    const toEvents = (listener: Listener, records: readonly LiveEditors[]) =>
      records
        .filter(({ entity }) => mayRead(listener.session, entity))
        .map((record) => toText('editing', record))
        .join('')
    for (const listener of to) {
      if (!listener.session.locations) send(listener, toEvents(listener, changed))
    }
    tellSome(to, changed, toEvents)
  }

  /** Tells listeners with some locations about their records alone, one after the other, as each takes a query. */
  function tellSome<T extends Told>(
    to: Iterable<Listener>,
    told: readonly T[],
    toEvents: (listener: Listener, seen: readonly T[]) => string,
  ): void {
    const some = [...to].filter(({ session }) => session.locations)
    if (some.length === 0 || told.length === 0) return
    tellingSome = tellingSome.then(async () => {
      // One query for all listeners with the same locations.
      const seenBy = new Map<string, Promise<T[]>>()
      for (const listener of some) {
        const { locations } = listener.session
        if (!locations) continue
        const key = locations.join()
        const seen = seenBy.get(key) ?? chooseSeen(locations, told, listSeen)
        seenBy.set(key, seen)
        // If the query fails, their screens are told to reload everything.
        const text = await seen.then(
          (records) => toEvents(listener, records),
          () => toText('missed', {}),
        )
        if (!listeners.has(listener)) continue
        // If their locations have changed meanwhile, the records may not be theirs, so they reload everything too.
        const isTheirs = listener.session.locations?.join() === key
        send(listener, isTheirs ? text : toText('missed', {}))
      }
    })
  }

  function sendBatch(): void {
    batchTimer = undefined
    lastBatchAt = performance.now()
    const changes = shorten(collected)
    collected = []
    deliverChanges(changes)
    for (const part of splitChanges(changes)) notify({ changes: part })
  }

  /** Sends one after the other: on separate connections, a form's closing could arrive before its opening. */
  function notify(message: Omit<ServerMessage, 'from'>): void {
    const payload = JSON.stringify({ from: serverId, ...message })
    sending = sending
      .then(() => notifications.notify(LIVE_CHANNEL, payload))
      .catch(() => {
        // The database is down: once it is back, screens on other servers are told to reload everything.
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
      const { tokenHash, staff, viewer } = listener.session
      if (ofStaff && !ofStaff.has(staff._id) && !(viewer && ofStaff.has(viewer._id))) continue
      // When the database is down, the session is kept and checked again in a minute.
      const session = await findSession(tokenHash).catch(() => listener.session)
      // A stream belongs to one person: when the viewer begins or ends a view of a colleague, a new stream is needed.
      if (session === undefined || session.mustSetUpSecondFactor || session.id !== staff._id) {
        end(listener)
        continue
      }
      // Read after the await, as another check may have sent the changes already.
      const { pages, viewOnlyPages, locations } = listener.session
      listener.session = session
      if (session.viewOnlyPages.join() !== viewOnlyPages.join()) {
        send(listener, toText('viewOnlyPages', session.viewOnlyPages))
      }
      if (session.locations?.join() !== locations?.join()) send(listener, toText('locations', session.locations))
      if (session.pages.join() !== pages.join()) send(listener, toText('pages', session.pages))
    }
  }

  const expireEditors = () => deliverEditors(editors.expire())

  /** Starts timers and notifications, at the first listener. Notifications go on until the server stops. */
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
      if (changes.length === 0) return
      collected.push(...changes.map(({ entity, id, version, tab, left }) => ({ entity, id, version, tab, left })))
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
      deliverEditors(editors.all(), [listener])
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

    async flush() {
      if (batchTimer !== undefined) {
        clearTimeout(batchTimer)
        sendBatch()
      }
      await sending
    },

    close() {
      isClosed = true
      for (const timer of timers) clearInterval(timer)
      for (const listener of listeners) end(listener)
    },
  }
}

/** Replaces the changes of kinds that have too many by one change without an id. */
function shorten(changes: readonly PublishedChange[]): PublishedChange[] {
  const counts = new Map<LiveEntity, number>()
  for (const { entity } of changes) counts.set(entity, (counts.get(entity) ?? 0) + 1)
  const isListed = ({ entity }: LiveChange) => (counts.get(entity) ?? 0) <= MAX_LISTED
  const others = [...counts].filter(([, count]) => count > MAX_LISTED).map(([entity]) => ({ entity }))
  return [...changes.filter(isListed), ...others]
}

/** Splits changes into parts that fit in one notification, with room for the surrounding JSON. */
function splitChanges(changes: readonly PublishedChange[]): PublishedChange[][] {
  const parts: PublishedChange[][] = []
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
