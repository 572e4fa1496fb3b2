import type { ColumnType, Generated } from 'kysely'
import type { ActorKind, AuditAction, AuditEntity } from '#contract/audit.ts'
import type { BookingStatus, CheckInMethod } from '#contract/booking-statuses.ts'
import type { CancelPolicy } from '#contract/cancel-policy.ts'
import type { MailKind, MailState } from '#contract/mail-states.ts'
import type { MessageKind } from '#contract/message-templates.ts'
import type { PageCode } from '#contract/pages.ts'
import type { DeliveryState } from '#contract/webhook-events.ts'

/**
 * The tables as kysely sees them; `migrations/` makes them. Driver types: timestamptz ↔ Date, date ↔ 'YYYY-MM-DD',
 * numeric ↔ text (never a float), bigint ↔ number.
 */

type CreatedAt = ColumnType<Date, Date | undefined, never>
type UpdatedAt = ColumnType<Date, Date | undefined, Date>
/** Counted by a trigger (migration 013). */
type Version = Generated<number>
/** Exact decimal: written from a number or text, read as text. */
type Decimal = ColumnType<string, number | string, number | string>
/** Read as it is, written as its JSON. */
type Json<T> = ColumnType<T, string, string>

export type StaffTable = {
  id: string
  firstname: string
  lastname: string
  email: string
  phone_number: string
  /** None until the person has chosen a password. */
  password_hash: string | null
  role: string
  pages: PageCode[]
  /** The pages among `pages` that they may only look at. */
  view_only_pages: Generated<PageCode[]>
  /** Null: all. */
  location_ids: ColumnType<string[] | null, string[] | null | undefined, string[] | null>
  is_blocked: Generated<boolean>
  deleted_at: Date | null
  created_at: CreatedAt
  updated_at: UpdatedAt
  version: Version
}

/** Lines whose `n` add up to how many rows of a list are of a kind (migrations 002 and 005); written by triggers alone. */
type RowCountsTable = {
  list: 'bookings' | 'transactions' | 'users'
  /** Of which time `day` is the UTC day, or the first of its UTC month; '' on the lines of no day, whose `day` is -infinity. */
  day_of: '' | 'created_at' | 'created_month' | 'start_time' | 'start_month'
  day: string
  status: string
  /** A booking's location, a transaction's facilitator, '' of users. */
  kind: string
  n: number
}

type SessionsTable = {
  /** SHA-256 of the token: the token itself is nowhere on the server. */
  token_hash: Buffer
  staff_id: string
  created_at: CreatedAt
  expires_at: Date
  /** For the person's own list: the token's hash is shown to nobody. */
  id: Generated<string>
  address: Generated<string>
  user_agent: Generated<string>
  /** To the minute. */
  last_used_at: Generated<Date>
  /** When the person last gave their password. */
  confirmed_at: Generated<Date>
  /** The token before the present one, and until when it is taken too; both or neither. */
  previous_token_hash: Generated<Buffer | null>
  previous_until: Generated<Date | null>
  /** The colleague whose portal the person sees in place of their own, and until when; both or neither. */
  viewed_staff_id: Generated<string | null>
  viewed_until: Generated<Date | null>
}

type PasswordLinksTable = {
  /** SHA-256 of the token in the link. */
  token_hash: Buffer
  staff_id: string
  expires_at: Date
}

type SecondFactorsTable = {
  id: string
  staff_id: string
  /** Sealed when SECRET_KEY is set. */
  secret: string
  /** The time step of the last code that was accepted: each counts once. */
  last_step: Generated<number>
  created_at: Date
  /** Null of a new key, until a code of it has been entered. */
  confirmed_at: Date | null
}

type RecoveryCodesTable = {
  /** SHA-256 of the code, which is deleted when it is used. */
  code_hash: Buffer
  staff_id: string
}

type PasskeysTable = {
  id: string
  staff_id: string
  name: string
  /** Base64url, as browsers send it. */
  credential_id: string
  public_key: Buffer
  /** Of its uses, where the authenticator counts them; 0 where it does not. */
  counter: number
  /** How a browser reaches it. */
  transports: string[]
  created_at: Date
  last_used_at: Date | null
}

/** What one who is not yet signed in, or adds a passkey, has been given to send back. */
type SignInChallengesTable = {
  /** SHA-256 of the token. */
  token_hash: Buffer
  /** Null in place of the password. */
  staff_id: string | null
  /** `second-factor`: the password was given. `sign-in`: with a passkey in its place. */
  purpose: Generated<'second-factor' | 'sign-in' | 'add-passkey'>
  user_agent: string
  expires_at: Date
}

type SignInAddressesTable = {
  staff_id: string
  /** Of the address, or its IPv6 network, and the staff member: the same one of two members does not show. */
  address_hash: Buffer
  last_signed_in_at: Date
}

export type UsersTable = {
  id: string
  firstname: string
  lastname: string
  email: string
  mobile: string
  role: string
  username: string
  /** Kept by staff. */
  note: Generated<string>
  is_blocked: Generated<boolean>
  deleted_at: Date | null
  created_at: CreatedAt
  version: Version
}

export type CompaniesTable = {
  id: string
  name: string
  contact_name: Generated<string>
  email: Generated<string>
  phone: Generated<string>
  vat_number: Generated<string>
  billing_address: Generated<string>
  cost_centre: Generated<string>
  deleted_at: Date | null
  created_at: CreatedAt
  version: Version
}

export type LocationsTable = {
  id: string
  name: string
  street: string
  city: string
  state: string
  zip: string
  country_code: string
  latitude: number
  longitude: number
  is_blocked: Generated<boolean>
  /** Null: that of the platform. */
  cancel_policy: Json<CancelPolicy> | null
  /** Minutes after its start at which a booking nobody has come for is released; null: never. */
  no_show_minutes: number | null
  /** Before the start; null: customers are not reminded. */
  reminder_hours: number | null
  deleted_at: Date | null
  created_at: CreatedAt
  version: Version
}

export type FeaturesTable = {
  id: string
  name: string
  icon: string
  is_blocked: Generated<boolean>
  position: number
  deleted_at: Generated<Date | null>
  created_at: CreatedAt
  version: Version
}

export type ImagesTable = {
  /** `public_id` on the wire. */
  id: string
  url: string
  thumbnail_url: string
  placeholder: string
  width: number
  height: number
  /** Given up for good: its files are being removed, and no pod may take it any more. */
  discarded_at: Date | null
  created_at: CreatedAt
}

export type PodsTable = {
  id: string
  title: string
  slug: string
  description: string
  direction: string
  location_id: string
  category: string
  time_slot: string
  is_available: Generated<boolean>
  is_blocked: Generated<boolean>
  tags: string
  ratings: ColumnType<unknown[], string | undefined, string>
  rating_count: Generated<number>
  total_rating: Generated<string>
  booking_requirements: string
  availability: string
  cancellation_policy: string
  safety_and_property: string
  /** `UserId` on the wire: the pod's own user in the door system. */
  pod_user_id: string
  device_id: string
  serial: string
  /** Sealed when SECRET_KEY is set (rules §5.4). */
  device_password: string
  email: string
  rate: Decimal
  /** How many people it seats. */
  capacity: number | null
  /** Of cleaning, held after each booking. */
  buffer_minutes: Generated<number>
  product_id: string
  deleted_at: Date | null
  created_at: CreatedAt
  updated_at: UpdatedAt
  version: Version
}

type PodFeaturesTable = { pod_id: string; feature_id: string; position: number }

type PodImagesTable = { pod_id: string; position: number; public_id: string; url: string }

/** Of a location or a pod, in minutes of the day; without them the day is closed. */
type OpenTable = { location_id: string | null; pod_id: string | null; opens: number | null; closes: number | null }

/** 1 is Monday. */
type OpeningHoursTable = OpenTable & { weekday: number }

type HourExceptionsTable = OpenTable & { date: string; label: string }

type ClosuresTable = {
  id: string
  /** A whole location; else the pods of closure_pods. */
  location_id: string | null
  reason: string
  /** Wall clock labelled Z; no end until further notice. */
  starts: Date
  ends: Date | null
  rrule: string | null
  created_by: string | null
  ended_at: Generated<Date | null>
  created_at: CreatedAt
  version: Version
}

type ClosurePodsTable = { closure_id: string; pod_id: string }

/** `ends` may be infinity, which is never read as a Date. */
type ClosureInstancesTable = { closure_id: string; starts: Date; ends: Date }

export type BookingsTable = {
  id: string
  pod_id: string
  location_id: string
  /** Exactly one of the two: a customer's booking, or one that staff made (rules §4.9). */
  user_id: string | null
  staff_id: string | null
  /** Whom a booking that staff made is for (rules §29.3). */
  company_id: ColumnType<string | null, string | null | undefined, string | null>
  series_id: ColumnType<string | null, string | null | undefined, string | null>
  booking_date: string
  purpose: string
  /** Wall clock labelled Z (rules §1.1). */
  start_time: Date
  end_time: Date
  slot_count: number
  status: BookingStatus
  checked_in_at: Date | null
  checked_in_by: string | null
  checked_in_method: CheckInMethod | null
  no_show_at: Date | null
  ended_at: Date | null
  /** Wall clock labelled Z: its slots from here to its end are free again, after a no-show or an early end. */
  released_from: Date | null
  note: Generated<string>
  /** The staff member who made it for somebody else; null of staff's own bookings and of those that customers made. */
  made_by_staff_id: string | null
  /** ZAR, with what it was worked out from; null where it was not sold through here. */
  price: Decimal | null
  rate: Decimal | null
  discount_minutes: number | null
  /** As it was when the booking was made. */
  cancel_policy: Json<CancelPolicy> | null
  cancelled_at: Date | null
  cancel_reason: string | null
  /** ZAR that the customer still owes; below zero what is to be given back. */
  balance_due: ColumnType<string, number | string | undefined, number | string>
  /** Of its calendar file: how often its time has changed. */
  sequence: Generated<number>
  created_at: CreatedAt
  version: Version
}

type SeriesTable = {
  id: string
  /** As rrule reads it. */
  rule: string
  pod_id: string
  purpose: string
  /** Of its first booking; wall clock labelled Z. */
  start_time: Date
  end_time: Date
  made_by_staff_id: string
  created_at: Date
  version: Version
}

type BookingSlotsTable = {
  pod_id: string
  slot_start: Date
  booking_id: string
  /** After the booking's end, for cleaning. */
  is_buffer: Generated<boolean>
}

export type TransactionsTable = {
  id: string
  booking_id: string | null
  amount: Decimal
  currency: string
  merchant_id: string
  checkout_id: string
  payment_facilitator: string
  status: string
  created_at: CreatedAt
  version: Version
}

/** At most one row, from the first start with SECRET_KEY on: a text that this key alone opens. */
type SecretKeyCheckTable = { id: Generated<number>; sealed: string }

type PricingTable = {
  id: Generated<number>
  rate: Decimal
  discount_minutes: number
  cancel_policy: ColumnType<CancelPolicy, string | undefined, string>
  cancel_reasons: Generated<string[]>
  second_factor_required: Generated<boolean>
  updated_at: UpdatedAt
  version: Version
}

type AuditTable = {
  id: string
  at: Date
  actor_kind: ActorKind
  /** A staff member's or customer's id. */
  actor_id: string | null
  address: string | null
  request_id: string | null
  action: AuditAction
  entity: AuditEntity
  entity_id: string | null
  /** What the record was called at the time. */
  label: string
  /** The record's version since this change. */
  version: number | null
  /** The fields that changed, by column, as they were and as they are since. */
  before: ColumnType<Fields | null, string | null, never>
  after: ColumnType<Fields | null, string | null, never>
  reason: string | null
  /** The row whose change this one takes back. */
  undoes: string | null
}

export type Fields = Record<string, unknown>

/** Work outside the database, and the sweeps; `server/jobs/` writes it. */
export type JobsTable = {
  id: Generated<string>
  kind: string
  key: string
  payload: ColumnType<Record<string, unknown>, string | undefined, string>
  run_at: Date
  /** Runs that have begun. */
  tries: Generated<number>
  /** Null: for ever. */
  max_tries: number | null
  /** Who runs it, and until when nobody else does. */
  lease_id: string | null
  lease_until: Date | null
  last_error: string | null
  /** Of the request whose change queued it; the database sets it. Null of sweeps. */
  request_id: Generated<string | null>
  created_at: CreatedAt
  done_at: Date | null
  /** Given up, until staff ask for another try. */
  dead_at: Date | null
}

/** Made by schedule, read back whole, and still kept; the files are elsewhere. */
export type BackupsTable = {
  name: string
  job_id: string
  made_at: Date
  bytes: number
  rows: number
  images: number
  sha256: string
  checked_at: Date
}

type WebhooksTable = {
  id: string
  url: string
  events: string[]
  /** Sealed when SECRET_KEY is set. */
  secret: string
  is_enabled: Generated<boolean>
  version: Version
  deleted_at: Date | null
  created_at: Date
}

type ApiKeysTable = {
  id: string
  name: string
  /** What the key begins with, by which people tell it. */
  prefix: string
  /** SHA-256 of the key. */
  key_hash: Buffer
  pages: PageCode[]
  view_only_pages: Generated<PageCode[]>
  /** Null of one that has all locations. */
  location_ids: string[] | null
  /** The last day on which it counts, in the business time zone. */
  expires_on: string | null
  created_by: string
  created_at: Date
  revoked_at: Date | null
  last_used_at: Date | null
  last_used_address: string | null
  version: Version
}

type RolePresetsTable = {
  id: string
  name: string
  pages: PageCode[]
  view_only_pages: Generated<PageCode[]>
  /** Null of all locations. */
  location_ids: string[] | null
  created_at: CreatedAt
  deleted_at: Generated<Date | null>
  version: Version
}

/** Written by a trigger of `audit`. */
type WebhookDeliveriesTable = {
  id: Generated<string>
  webhook_id: string
  event: string
  body: string
  state: Generated<DeliveryState>
  tries: Generated<number>
  response: string | null
  created_at: Date
  sent_at: Date | null
}

type MailsTable = {
  id: string
  kind: MailKind
  to_name: string
  to_email: string
  subject: string
  html: string
  text: string
  state: MailState
  tries: Generated<number>
  /** What the mail server last said, or why it was not reached. */
  response: string | null
  created_at: Date
  sent_at: Date | null
  /** Whose password the link in it sets; the link is made when the mail is sent. */
  link_for: string | null
  /** Of a message about bookings: their series, or the booking itself. */
  group_id: string | null
  /** The bookings as the message says that they are. */
  bookings: Json<ToldBooking[]> | null
  /** The text of the QR code, shown as the image `cid:code`. */
  code: string | null
  calendar: string | null
}

/** What a customer is told of a booking. Times are the pod's wall clock labelled Z. */
export type ToldBooking = { bookingId: string; podId: string; start: string; end: string; isCancelled: boolean }

type MessageTemplatesTable = {
  id: Generated<string>
  kind: MessageKind
  is_enabled: boolean
  /** Null: as the product has it. */
  subject: string | null
  body: string | null
  version: Version
}

/** What the customer knows of a booking; a trigger of `audit` makes the row, before the first change of it. */
type ToldBookingsTable = {
  booking_id: string
  /** Null, as the next three, while they know nothing. */
  pod_id: string | null
  start_time: Date | null
  end_time: Date | null
  is_cancelled: boolean | null
  told_at: Date | null
  /** The start that a reminder was written for. */
  reminded_for: Date | null
}

/** Requests that created something, for a day; `server/modules/idempotency/` writes it. */
type IdempotencyKeysTable = {
  /** Of a staff member, or of an API key: the column is named after those who were there first. */
  staff_id: string
  /** SHA-256 of the key. */
  key_hash: Buffer
  request_hash: Buffer
  /** Null until the transaction that creates it ends, which nobody else sees. */
  response: string | null
  change_id: string | null
  created_at: Date
}

export type Database = {
  staff: StaffTable
  sessions: SessionsTable
  sign_in_addresses: SignInAddressesTable
  password_links: PasswordLinksTable
  second_factors: SecondFactorsTable
  recovery_codes: RecoveryCodesTable
  passkeys: PasskeysTable
  sign_in_challenges: SignInChallengesTable
  users: UsersTable
  companies: CompaniesTable
  locations: LocationsTable
  features: FeaturesTable
  images: ImagesTable
  pods: PodsTable
  pod_features: PodFeaturesTable
  pod_images: PodImagesTable
  opening_hours: OpeningHoursTable
  hour_exceptions: HourExceptionsTable
  closures: ClosuresTable
  closure_pods: ClosurePodsTable
  closure_instances: ClosureInstancesTable
  bookings: BookingsTable
  series: SeriesTable
  booking_slots: BookingSlotsTable
  transactions: TransactionsTable
  row_counts: RowCountsTable
  pricing: PricingTable
  secret_key_check: SecretKeyCheckTable
  jobs: JobsTable
  backups: BackupsTable
  audit: AuditTable
  mails: MailsTable
  message_templates: MessageTemplatesTable
  told_bookings: ToldBookingsTable
  webhooks: WebhooksTable
  webhook_deliveries: WebhookDeliveriesTable
  idempotency_keys: IdempotencyKeysTable
  api_keys: ApiKeysTable
  role_presets: RolePresetsTable
}
