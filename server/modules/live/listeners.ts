import { Readable } from 'node:stream'
import type { LiveChange, LiveEditors } from '#contract/live.ts'
import type { Person } from '#server/context.ts'
import { chooseSeen, type ListSeen, mayRead, type Told, toToldChanges } from './who-is-told.ts'

/** The most that is buffered for a listener that does not read. Beyond it the listener is dropped, and reconnects. */
const MAX_WAITING_BYTES = 256 * 1024
const MAX_STREAMS_OF_SESSION = 20

type Listener = { session: Person; stream: Readable }

type ListenersOptions = {
  findSession: (tokenHash: Buffer) => Promise<Person | undefined>
  listSeen: ListSeen
}

/** Creates the streams of this server: each session is sent what its pages and locations allow it to see. */
export function createListeners({ findSession, listSeen }: ListenersOptions) {
  const listeners = new Set<Listener>()
  let tellingSome: Promise<unknown> = Promise.resolve()

  function send(listener: Listener, text: string): void {
    if (text === '') return
    listener.stream.push(text)
    if (listener.stream.readableLength <= MAX_WAITING_BYTES) return
    listeners.delete(listener)
    listener.stream.destroy()
  }

  function end(listener: Listener): void {
    listeners.delete(listener)
    listener.stream.push(null)
  }

  function sendToAll(text: string): void {
    for (const listener of listeners) send(listener, text)
  }

  /** Opens a stream, which begins with these editors. Ends the oldest of a session that has too many. */
  function open(session: Person, editors: readonly LiveEditors[]): Readable {
    const stream = new Readable({ read: () => undefined })
    const listener: Listener = { session, stream }
    const ofSession = [...listeners].filter((other) => other.session.tokenHash.equals(session.tokenHash))
    for (const oldest of ofSession.slice(0, -MAX_STREAMS_OF_SESSION + 1)) end(oldest)
    listeners.add(listener)
    stream.once('close', () => listeners.delete(listener))
    send(listener, toText('ready', {}))
    sendEditors(editors, [listener])
    return stream
  }

  function sendChanges(changes: readonly (LiveChange & Told)[]): void {
    // One text for all listeners with the same pages.
    const texts = new Map<string, string>()
    for (const listener of listeners) {
      if (listener.session.locations) continue
      const key = listener.session.pages.join()
      const text = texts.get(key) ?? toChangesText(listener, changes)
      texts.set(key, text)
      send(listener, text)
    }
    tellSome(listeners, changes, toChangesText)
    const staff = new Set(changes.flatMap(({ entity, id }) => (entity === 'staff' && id !== undefined ? [id] : [])))
    // Blocked accounts and changed pages take effect at once.
    if (staff.size > 0) void checkSessions(staff)
    // Staff who have to set up a second factor first get no more events.
    if (changes.some(({ entity }) => entity === 'policy')) void checkSessions()
  }

  function sendEditors(changed: readonly LiveEditors[], to: Iterable<Listener> = listeners): void {
    for (const listener of to) {
      if (!listener.session.locations) send(listener, toEditorsText(listener, changed))
    }
    tellSome(to, changed, toEditorsText)
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
          () => MISSED,
        )
        if (!listeners.has(listener)) continue
        // If their locations have changed meanwhile, the records may not be theirs, so they reload everything too.
        const isTheirs = listener.session.locations?.join() === key
        send(listener, isTheirs ? text : MISSED)
      }
    })
  }

  /** Ends the streams of ended sessions, and applies changes of pages and locations to the others. */
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
      // Your account shows what has changed, whatever pages one holds.
      if (ofStaff) send(listener, toText('changes', [{ entity: 'staff' }]))
      if (session.viewOnlyPages.join() !== viewOnlyPages.join()) {
        send(listener, toText('viewOnlyPages', session.viewOnlyPages))
      }
      if (session.locations?.join() !== locations?.join()) send(listener, toText('locations', session.locations))
      if (session.pages.join() !== pages.join()) send(listener, toText('pages', session.pages))
    }
  }

  return {
    open,
    sendChanges,
    sendEditors: (changed: readonly LiveEditors[]) => sendEditors(changed),
    /** Tells all screens to reload everything, as changes may have been missed. */
    sendMissed: () => sendToAll(MISSED),
    ping: () => sendToAll(': ping\n\n'),
    checkSessions,
    count: () => listeners.size,
    endAll(): void {
      for (const listener of listeners) end(listener)
    },
  }
}

const toText = (event: string, data: unknown) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

const MISSED = toText('missed', {})

function toChangesText({ session }: Listener, changes: readonly (LiveChange & Told)[]): string {
  const told = toToldChanges(session, changes)
  return told.length === 0 ? '' : toText('changes', told)
}

const toEditorsText = ({ session }: Listener, records: readonly LiveEditors[]) =>
  records
    .filter(({ entity }) => mayRead(session, entity))
    .map((record) => toText('editing', record))
    .join('')
