import type { AuditEntity } from '#contract/audit-entities.ts'
import type { ActorKind, AuditAction } from '#contract/audit.ts'
import type { SignedInStaff } from '#contract/staff.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { DatabaseHandle, DatabaseLoad, Db } from './db/client.ts'
import type { ReadElsewhere } from './db/replica.ts'
import type { RequestLimit } from './http/request-limit.ts'
import type { IsBreached } from './modules/auth/breached-passwords.ts'
import type { LoginLimit } from './modules/auth/login-limit.ts'
import type { SignInQueue } from './modules/auth/sign-in-queue.ts'
import type { Live } from './modules/live/live.ts'
import type { SendMail } from './modules/mail/smtp.ts'
import type { SecretBox } from './secrets.ts'
import type { ShareRead } from './shared-reads.ts'
import type { ImageStorage } from './storage/image-storage.ts'

/** What handlers depend on. Created once by main.ts, and by commands and tests. */
export type AppContext = {
  config: Config
  db: Db
  /** The same database, for queries that only read and always take a millisecond at most. */
  shortReads: Db
  /** Returns `db`, `shortReads` and `onReplica` narrowed to these locations. */
  within: (locations: readonly string[]) => { db: Db; shortReads: Db; onReplica: ReadElsewhere }
  /** Runs a long read on the read replica, if there is one. */
  onReplica: ReadElsewhere
  /** For what many screens read again at the same time, when something changes. */
  shareRead: ShareRead
  clock: Clock
  /** Since when staff can work here: when this server was started, or when its database was last away. */
  uptime: { since: Date }
  secrets: SecretBox
  isBreached: IsBreached
  loginLimit: LoginLimit
  signInQueue: SignInQueue
  /** Rate limits: of each API key's requests, and of each person's changes and file downloads. */
  keyLimit: RequestLimit
  staffLimit: RequestLimit
  storage: ImageStorage
  /** Tells open screens what has changed. */
  live: Live
  /** Undefined without SMTP_URL: mails are then kept instead of sent. */
  sendMail: SendMail | undefined
  databaseLoad: () => DatabaseLoad
  readAtLength: DatabaseHandle['readAtLength']
}

/** Who makes a change, from where, and what they have changed so far: one per request, and one per run of a job. */
export type Actor = {
  kind: ActorKind
  id: string | null
  address: string | null
  requestId: string | null
  now: () => Date
  /** The version that a record must have to be changed, from If-Match. */
  expects: number | 'any'
  /** Set while the person views the portal as a colleague: a sentence that the history stores with their changes. */
  seenAs?: string | undefined
  /** Set when the request has an `Idempotency-Key`. */
  idempotency?: IdempotentRequest | undefined
  changes: RecordedChange[]
}

export type IdempotentRequest = {
  key: string
  /** HMAC of the request, keyed with the idempotency key, which is not stored: passwords cannot be guessed from it. */
  requestHash: Buffer
  /** Whether the response holds a secret, and is encrypted where it is stored. */
  isSecret: boolean
  /** Serialises a result as it appears in the response. */
  serialise: (result: unknown) => string
  /** Set when the response of an earlier request was replayed: the change that the earlier request made. */
  replayed?: { changeId: string | null; undoEntity: AuditEntity | undefined; isOneOfSeveral: boolean }
}

export type RecordedChange = {
  auditId: string
  entity: AuditEntity
  action: AuditAction
  id: string | null
  version: number | null
  /** The kind of record by which access to undoing it is decided; undefined if it is not offered for undo. */
  undoEntity: AuditEntity | undefined
  /** The location that the record was moved away from. */
  left?: string | undefined
}

/** The sender of a request: a staff member with a session, or another system with an API key. */
export type SignedIn = {
  /** The staff member's id, or the API key's own, so that a key never counts as the owner of a person's records. */
  id: string
  /** Undefined when the request was made with an API key. */
  staff: SignedInStaff | undefined
  /** The pages that count for this request: for an edit, only those that the sender may change (rules §34.2). */
  pages: readonly number[]
  /** The pages that the sender may only view. */
  viewOnlyPages: readonly number[]
  /** Ids of the locations that the sender has access to; null for all locations. */
  locations: readonly string[] | null
}

/** The access of the colleague whose portal somebody is viewing in place of their own. */
type View = SignedIn & {
  staff: SignedInStaff
  until: Date
  /** Why the view is over, although the session still records it. Undefined while it goes on. */
  over: string | undefined
}

/** A staff member with a session. */
export type Person = SignedIn & {
  /** The staff member who is viewing the portal as this person (rules §34.9). */
  viewer?: SignedInStaff
  /** The view of a colleague that this person has started. Absent from the session that `asSeen` returns. */
  view?: View
  staff: SignedInStaff
  /** SHA-256 of the session's current token. */
  tokenHash: Buffer
  /** Their password was generated: they can do nothing but choose another one (rules §33.18). */
  mustReplacePassword: boolean
  /** A second factor is required and the person has none: they can do nothing but set one up (rules §33.10). */
  mustSetUpSecondFactor: boolean
  lastUsedAt: Date
  /** When the person last gave their password. */
  confirmedAt: Date
}
