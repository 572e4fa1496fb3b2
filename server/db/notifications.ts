import { Client, type Pool } from 'pg'
import type { DatabaseLog } from './driver/database-log.ts'

/** Called with each payload, and with undefined after a reconnection, as messages may have been missed. */
type NotificationHandler = (payload: string | undefined) => void

/** Messages between the servers that share a database, this one included. A message that nobody listens for is lost. */
export type Notifications = {
  /** Starts listening; resolves once messages can arrive, with a function that stops it. */
  listen: (channel: string, handler: NotificationHandler) => Promise<() => void>
  /**
   * Sends a payload of at most `MAX_PAYLOAD_BYTES` at once, outside any transaction of the caller: commits of
   * transactions that notify wait for one another.
   */
  notify: (channel: string, payload?: string) => Promise<void>
  close: () => Promise<void>
}

/** PostgreSQL takes less than 8,000 bytes. */
export const MAX_PAYLOAD_BYTES = 7_999

/** How often the listening connection is tried, and how long it may take to answer. */
const BEAT_MS = 30_000
const RECONNECT_AFTER_MS = [100, 500, 1_000, 2_000, 5_000] as const

/** Keeps the handlers of each channel and delivers messages to them. */
function createHandlers(log: DatabaseLog) {
  const handlers = new Map<string, Set<NotificationHandler>>()

  function call(handler: NotificationHandler, channel: string, payload: string | undefined): void {
    try {
      handler(payload)
    } catch (err) {
      log.error({ err, channel }, 'a notification could not be handled')
    }
  }

  const channels = () => [...handlers.keys()]
  const add = (channel: string, handler: NotificationHandler) => {
    const ofChannel = handlers.get(channel) ?? new Set()
    handlers.set(channel, ofChannel.add(handler))
    return () => void ofChannel.delete(handler)
  }
  const deliver = (channel: string, payload: string | undefined) => {
    for (const handler of handlers.get(channel) ?? []) call(handler, channel, payload)
  }
  return { channels, add, deliver }
}

/** For the embedded engine, which has a single server: messages stay in the process. */
export function createLocalNotifications(log: DatabaseLog): Notifications {
  const { add, deliver } = createHandlers(log)
  return {
    listen: async (channel, handler) => add(channel, handler),
    notify: async (channel, payload = '') => void setImmediate(deliver, channel, payload),
    close: async () => undefined,
  }
}

/**
 * Uses LISTEN and NOTIFY. One connection listens; it is opened with the first listener and again whenever it breaks.
 */
export function createPostgresNotifications(
  pool: Pool,
  connection: { connectionString: string; application_name: string },
  log: DatabaseLog,
  { beatMs = BEAT_MS } = {},
): Notifications {
  const { add, deliver, channels } = createHandlers(log)
  let client: Promise<Client> | undefined
  let retry: NodeJS.Timeout | undefined
  let failures = 0
  let isClosed = false

  async function connect(): Promise<Client> {
    const connecting = new Client({
      ...connection,
      keepAlive: true,
      keepAliveInitialDelayMillis: 60_000,
      connectionTimeoutMillis: beatMs,
      query_timeout: beatMs,
    })
    connecting.on('notification', ({ channel, payload }) => deliver(channel, payload ?? ''))
    connecting.on('error', (err) => log.warn({ err }, 'the connection that listens for notifications broke'))
    try {
      await connecting.connect()
      for (const channel of channels()) await connecting.query(`listen "${channel}"`)
    } catch (error) {
      void connecting.end().catch(() => undefined)
      throw error
    }
    failures = 0
    // A machine that has gone closes no connection: messages would be missed for minutes, and nobody would know.
    const beat = setInterval(() => {
      connecting.query('select 1').catch(() => connecting.end().catch(() => undefined))
    }, beatMs).unref()
    // Also emitted without an error, for example after an orderly shutdown of the database.
    connecting.once('end', () => {
      clearInterval(beat)
      reconnect()
    })
    return connecting
  }

  function reconnect(): void {
    if (isClosed) return
    client = undefined
    const afterMs = RECONNECT_AFTER_MS[Math.min(failures, RECONNECT_AFTER_MS.length - 1)]
    failures += 1
    clearTimeout(retry)
    retry = setTimeout(() => {
      client = connect()
      client.then(
        () => {
          for (const channel of channels()) deliver(channel, undefined)
        },
        (err: unknown) => {
          log.warn({ err }, 'notifications cannot be listened for; trying again')
          reconnect()
        },
      )
    }, afterMs).unref()
  }

  return {
    async listen(channel, handler) {
      const isNew = !channels().includes(channel)
      const stop = add(channel, handler)
      // An unreachable database is not an error: the connection is retried, and the handler is called once it is back.
      if (client === undefined && retry === undefined) {
        client = connect()
        await client.catch((err: unknown) => {
          log.warn({ err }, 'notifications cannot be listened for; trying again')
          reconnect()
        })
      } else if (isNew) {
        await client?.then((connected) => connected.query(`listen "${channel}"`)).catch(() => undefined)
      }
      return stop
    },
    async notify(channel, payload = '') {
      await pool.query('select pg_notify($1, $2)', [channel, payload])
    },
    async close() {
      isClosed = true
      clearTimeout(retry)
      const connected = await client?.catch(() => undefined)
      await connected?.end()
    },
  }
}
