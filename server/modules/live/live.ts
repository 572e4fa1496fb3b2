import { Readable } from 'node:stream'
import type { LiveEntity } from '#contract/audit-entities.ts'
import type { Editor, LiveChange } from '#contract/live.ts'
import type { Clock } from '#server/clock.ts'
import type { Person } from '#server/context.ts'
import type { Notifications } from '#server/db/notifications.ts'
import { createEditors, type EditingTab } from './editors.ts'
import { createListeners } from './listeners.ts'
import { createServerMessages, type PublishedChange } from './server-messages.ts'
import type { ListSeen } from './who-is-told.ts'

/** How long changes are collected after the first one. */
const BATCH_MS = 50
/** The minimum time between two batches, as each batch costs a write per listener. */
const BATCH_GAP_MS = 250
/** More changes of one kind in a batch are not listed: screens that show that kind reload all of it. */
const MAX_LISTED = 200
const PING_EVERY_MS = 15_000
const CHECK_SESSIONS_EVERY_MS = 60_000
const EXPIRE_EVERY_MS = 5_000

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
  const listeners = createListeners({ findSession, listSeen })
  const otherServers = createServerMessages(notifications)
  const editors = createEditors(clock)
  let collected: PublishedChange[] = []
  let batchTimer: NodeJS.Timeout | undefined
  let lastBatchAt = 0
  let timers: NodeJS.Timeout[] = []
  let subscription: Promise<unknown> | undefined
  let isClosed = false

  function sendBatch(): void {
    batchTimer = undefined
    lastBatchAt = performance.now()
    const changes = shorten(collected)
    collected = []
    listeners.sendChanges(changes)
    otherServers.sendChanges(changes)
  }

  const expireEditors = () => listeners.sendEditors(editors.expire())

  /** Starts timers and notifications, at the first listener. Notifications go on until the server stops. */
  async function start(): Promise<void> {
    timers = [
      setInterval(() => listeners.ping(), PING_EVERY_MS),
      setInterval(() => void listeners.checkSessions(), CHECK_SESSIONS_EVERY_MS),
      setInterval(expireEditors, EXPIRE_EVERY_MS),
    ]
    for (const timer of timers) timer.unref()
    await otherServers.listen(({ changes, editing, isIncomplete }) => {
      if (changes) listeners.sendChanges(changes)
      if (editing) listeners.sendEditors(editors.set(editing))
      if (isIncomplete) listeners.sendMissed()
    })
  }

  return {
    publish(changes) {
      if (changes.length === 0) return
      collected.push(...changes)
      const sinceLast = performance.now() - lastBatchAt
      batchTimer ??= setTimeout(sendBatch, Math.max(BATCH_MS, BATCH_GAP_MS - sinceLast))
    },

    async open(session) {
      await (subscription ??= start())
      return isClosed ? Readable.from([]) : listeners.open(session, editors.all())
    },

    edit({ tokenHash, staff }, { tab, record }) {
      const editor = { _id: staff._id, name: staff.firstname || staff.lastname }
      const editing = { session: tokenHash.toString('base64url'), tab, editor, record }
      listeners.sendEditors(editors.set(editing))
      otherServers.sendEditing(editing)
      return record === null ? [] : editors.list(record).filter(({ _id }) => _id !== staff._id)
    },

    checkSessions: listeners.checkSessions,
    expireEditors,
    countListeners: listeners.count,

    async flush() {
      if (batchTimer !== undefined) {
        clearTimeout(batchTimer)
        sendBatch()
      }
      await otherServers.flush()
    },

    close() {
      isClosed = true
      for (const timer of timers) clearInterval(timer)
      otherServers.close()
      listeners.endAll()
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
