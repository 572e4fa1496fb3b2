import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { EditedRecordSchema, EditorSchema, LiveChangeSchema } from '#contract/live.ts'
import { MAX_PAYLOAD_BYTES, type Notifications } from '#server/db/notifications.ts'

export const LIVE_CHANNEL = 'live'
const RETRY_NOTIFY_AFTER_MS = 1_000

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
type ServerMessage = Omit<z.infer<typeof ServerMessageSchema>, 'from'>

/** Creates the exchange of messages with the other servers, by notifications of the database. */
export function createServerMessages(notifications: Notifications) {
  const serverId = randomUUID()
  let retryTimer: NodeJS.Timeout | undefined
  let sending: Promise<unknown> = Promise.resolve()
  let isClosed = false

  /** Sends one after the other: on separate connections, a form's closing could arrive before its opening. */
  function send(message: ServerMessage): void {
    const payload = JSON.stringify({ from: serverId, ...message })
    sending = sending
      .then(() => notifications.notify(LIVE_CHANNEL, payload))
      .catch(() => {
        // The database is down: once it is back, screens on other servers are told to reload everything.
        retryTimer ??= setTimeout(() => {
          retryTimer = undefined
          if (!isClosed) send({ isIncomplete: true })
        }, RETRY_NOTIFY_AFTER_MS).unref()
      })
  }

  return {
    sendEditing: (editing: NonNullable<ServerMessage['editing']>) => send({ editing }),
    sendChanges(changes: readonly PublishedChange[]): void {
      for (const part of splitChanges(changes)) send({ changes: part })
    },
    /** Receives what other servers send until the process ends; something unreadable or missed is incomplete. */
    listen: (receive: (message: ServerMessage) => void) =>
      notifications.listen(LIVE_CHANNEL, (payload) => {
        const message = payload === undefined ? undefined : ServerMessageSchema.safeParse(parseJson(payload)).data
        if (message?.from !== serverId) receive(message ?? { isIncomplete: true })
      }),
    /** Resolves when all that was given to it has been sent. */
    flush: async () => {
      await sending
    },
    /** Ends the retries; what is sent later is still tried once. */
    close(): void {
      isClosed = true
    },
  }
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
