import type { ActorKind, AuditAction, AuditEntity } from '#contract/audit.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { DatabaseHandle, DatabaseLoad, Db } from './db/client.ts'
import type { ReadElsewhere } from './db/replica.ts'
import type { RequestLimit } from './http/request-limit.ts'
import type { LoginLimit } from './modules/auth/login-limit.ts'
import type { SignInQueue } from './modules/auth/sign-in-queue.ts'
import type { Live } from './modules/live/live.ts'
import type { SendMail } from './modules/mail/smtp.ts'
import type { SecretBox } from './secrets.ts'
import type { ImageStorage } from './storage/image-storage.ts'

/** What handlers use; created once in main.ts, and by the tests. */
export type AppContext = {
  config: Config
  db: Db
  /** The same database, for queries that only read, and take a millisecond at most whatever their values. */
  shortReads: Db
  /** Both as somebody sees them who has these locations alone. */
  within: (locations: readonly string[]) => { db: Db; shortReads: Db; onReplica: ReadElsewhere }
  /** Runs a read that may take long on a replica, where there is one. */
  onReplica: ReadElsewhere
  clock: Clock
  secrets: SecretBox
  loginLimit: LoginLimit
  signInQueue: SignInQueue
  /** Of the requests of one API key, and of what one person changes and takes as files. */
  keyLimit: RequestLimit
  staffLimit: RequestLimit
  storage: ImageStorage
  /** Tells open screens what has changed. */
  live: Live
  /** None without SMTP_URL: mails are kept then. */
  sendMail: SendMail | undefined
  databaseLoad: () => DatabaseLoad
  readAtLength: DatabaseHandle['readAtLength']
}

/** Who makes a change, from where, and what they have changed so far: one for each request, and for each run of a job. */
export type Actor = {
  kind: ActorKind
  id: string | null
  address: string | null
  requestId: string | null
  now: () => Date
  /** The version that a record must have to be changed: that of If-Match. */
  expects: number | 'any'
  /** Of who sees the portal as a colleague sees it: said with whatever the history keeps of it. */
  seenAs?: string | undefined
  /** Of a request that names a key under which it counts once. */
  idempotency?: IdempotentRequest | undefined
  changes: RecordedChange[]
}

export type IdempotentRequest = {
  key: string
  /** Of what is asked, keyed by the key itself, which is stored nowhere: passwords cannot be guessed from it. */
  requestHash: Buffer
  /** The result as the response has it. */
  serialise: (result: unknown) => string
  /** Of a request that got the response of an earlier one: the change that it made. */
  replayed?: { changeId: string | null; isUndoable: boolean }
}

type RecordedChange = {
  auditId: string
  entity: AuditEntity
  action: AuditAction
  id: string | null
  version: number | null
  isUndoable: boolean
}

/** Who sends a request: a staff member by a session, or another system by an API key. */
export type SignedIn = {
  /** Of the staff member, or of the key: nothing that asks whose a record is takes it for anybody else. */
  id: string
  /** None of an API key. */
  staff: SignedInStaff | undefined
  /** The pages that count for this call: of one that edits those that the person may change (rules §34.2). */
  pages: readonly number[]
  /** The pages that they may only look at. */
  viewOnlyPages: readonly number[]
  /** Their ids; null of someone who has all. */
  locations: readonly string[] | null
}

/** What a colleague has whose portal somebody sees in place of their own. */
type View = SignedIn & {
  staff: SignedInStaff
  until: Date
  /** Why it is over, of one that the session does not know to have ended. */
  over: string | undefined
}

export type SignedInStaff = {
  _id: string
  firstname: string
  lastname: string
  email: string
  phoneNumber: string
  role: string
}

/** Someone with a session. */
export type Person = SignedIn & {
  /** Of who sees the portal as this person sees it: who that is (rules §34.9). */
  viewer?: SignedInStaff
  /** The colleague whose portal they have asked to see, in a session of their own alone. */
  view?: View
  staff: SignedInStaff
  /** SHA-256 of the session's present token. */
  tokenHash: Buffer
  /** One is required of everyone, and they have none: they can do nothing but set it up (rules §33.10). */
  mustSetUpSecondFactor: boolean
  lastUsedAt: Date
  /** When the person last gave their password. */
  confirmedAt: Date
}
