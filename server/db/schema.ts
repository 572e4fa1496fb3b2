import type { ColumnType, Generated } from 'kysely'
import type { AuditEntity } from '#contract/audit-entities.ts'
import type { ActorKind, AuditAction } from '#contract/audit.ts'
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
/** Incremented by a trigger (migration 013). */
type Version = Generated<number>
/** Exact decimal: written from a number or text, read as text. */
type Decimal = ColumnType<string, number | string, number | string>
/** Read as a value, written as its JSON text. */
type Json<T> = ColumnType<T, string, string>

export type StaffTable = {
  id: string
  firstname: string
  lastname: string
  email: string
  phone_number: string
  /** Null until the person has chosen a password. */
  password_hash: string | null
  /** True while the password is one that the server generated (rules §33.18). */
  must_replace_password: Generated<boolean>
  role: string
  pages: PageCode[]
  /** Those of `pages` that the person may only view. */
  view_only_pages: Generated<PageCode[]>
  /** Null: all locations. */
  location_ids: ColumnType<string[] | null, string[] | null | undefined, string[] | null>
  is_blocked: Generated<boolean>
  deleted_at: Date | null
  created_at: CreatedAt
  updated_at: UpdatedAt
  version: Version
}

/**
 * Rows whose `n` add up to the number of a list's rows of a kind (migrations 002 and 005); only triggers and
 * `foldRowCounts` write them.
 */
type RowCountsTable = {
  list: 'bookings' | 'transactions' | 'users'
  /**
   * The time column whose UTC day, or first day of its UTC month, is in `day`; '' for totals, whose `day` is -infinity.
   */
  day_of: '' | 'created_at' | 'created_month' | 'start_time' | 'start_month'
  day: string
  status: string
  /** The location of bookings, the facilitator of transactions, '' for users. */
  kind: string
  n: number
}

/** Kept by triggers (migration 070), so that they are only read. */
type OpenBalancesTable = {
  booking_id: string
  /** ZAR that the customer still owes; negative for what is to be given back. Never zero. */
  amount: Decimal
}

type SessionsTable = {
  /** SHA-256 of the token; the token itself is not stored on the server. */
  token_hash: Buffer
  staff_id: string
  created_at: CreatedAt
  expires_at: Date
  /** Names the session in the person's own list, as the token's hash is never shown. */
  id: Generated<string>
  address: Generated<string>
  user_agent: Generated<string>
  /** When the person last used the session, to the minute. */
  last_used_at: Generated<Date>
  /** When the person last gave their password. */
  confirmed_at: Generated<Date>
  /** Hash of the previous token and until when it is still accepted; both or neither. */
  previous_token_hash: Generated<Buffer | null>
  previous_until: Generated<Date | null>
  /** The colleague as whom the person views the portal, and until when; both or neither. */
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
  /** The time step of the last accepted code: each code works once. */
  last_step: Generated<number>
  created_at: Date
  /** Null until a code of the new key has been entered. */
  confirmed_at: Date | null
}

type RecoveryCodesTable = {
  /** SHA-256 of the code; the row is deleted when the code is used. */
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
  /** The authenticator's counter of uses; 0 when it has none. */
  counter: number
  /** The ways in which a browser can reach the authenticator. */
  transports: string[]
  created_at: Date
  last_used_at: Date | null
}

/** Challenges sent to people who are signing in or adding a passkey, to be sent back with the next request. */
type SignInChallengesTable = {
  /** SHA-256 of the token. */
  token_hash: Buffer
  /** Null for `sign-in`, where it is not yet known who signs in. */
  staff_id: string | null
  /** `second-factor`: after the password. `sign-in`: with a passkey instead of the password. */
  purpose: Generated<'second-factor' | 'sign-in' | 'add-passkey'>
  user_agent: string
  expires_at: Date
}

type SignInAddressesTable = {
  staff_id: string
  /** Hash of the address (its network for IPv6) and the staff member, so that a shared address does not show. */
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
  /** Written by staff. */
  note: Generated<string>
  is_blocked: Generated<boolean>
  deleted_at: Date | null
  /** When the personal data of the deleted customer were erased. */
  erased_at: Generated<Date | null>
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
  /** Null: the platform's policy. */
  cancel_policy: Json<CancelPolicy> | null
  /** Minutes after its start at which a booking that nobody came for is released; null: never. */
  no_show_minutes: number | null
  /** Hours before the start; null: customers are not reminded. */
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
  /** When the image was given up for good: its files are being removed, and no pod may use it any more. */
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
  /** Cleaning time held after each booking. */
  buffer_minutes: Generated<number>
  product_id: string
  deleted_at: Date | null
  created_at: CreatedAt
  updated_at: UpdatedAt
  version: Version
}

type PodFeaturesTable = { pod_id: string; feature_id: string; position: number }

type PodImagesTable = { pod_id: string; position: number; public_id: string; url: string }

/** Opening times of a location or a pod, in minutes since midnight; null: closed that day. */
type OpenTable = { location_id: string | null; pod_id: string | null; opens: number | null; closes: number | null }

/** `weekday`: 1 is Monday. */
type OpeningHoursTable = OpenTable & { weekday: number }

type HourExceptionsTable = OpenTable & { date: string; label: string }

type ClosuresTable = {
  id: string
  /** The whole location that is closed; null: the pods in closure_pods are closed. */
  location_id: string | null
  reason: string
  /** Wall clock labelled Z; `ends` is null for a closure until further notice. */
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
  /** Exactly one of `user_id` and `staff_id` is set: a customer's booking, or one that staff made (rules §4.9). */
  user_id: string | null
  staff_id: string | null
  /** The company that staff made the booking for (rules §29.3). */
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
  /** Wall clock labelled Z. The slots from here to the end are free again, after a no-show or an early end. */
  released_from: Date | null
  note: Generated<string>
  /** The staff member who made it for somebody else; null for staff's own bookings and those made by customers. */
  made_by_staff_id: string | null
  /**
   * ZAR, with the rate and discount it was calculated from; all null if the booking was not sold through this system.
   */
  price: Decimal | null
  rate: Decimal | null
  discount_minutes: number | null
  /** The policy at the time the booking was made. */
  cancel_policy: Json<CancelPolicy> | null
  cancelled_at: Date | null
  cancel_reason: string | null
  /** ZAR of the payments that had completed by then. What completes later is to be given back. */
  paid_when_cancelled: Decimal | null
  /** ZAR charged here; negative when money has to be given back. What is due is `balanceOf`, which knows the payments. */
  balance_due: ColumnType<string, number | string | undefined, number | string>
  /** ZAR that was to be given back and was paid back, before the last change of the price or the cancellation. */
  refunds_counted: ColumnType<string, number | string | undefined, number | string>
  /** The sequence number of its calendar file: how often its time has changed. */
  sequence: Generated<number>
  created_at: CreatedAt
  version: Version
}

type SeriesTable = {
  id: string
  /** The rule as text that rrule parses. */
  rule: string
  pod_id: string
  purpose: string
  /** The times of its first booking; wall clock labelled Z. */
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
  /** True after the booking's end, for cleaning. */
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
  /** When a completed payment became `refunded`, written by a trigger (migration 071); null for other rows. */
  refunded_at: Generated<Date | null>
  created_at: CreatedAt
  version: Version
}

/** At most one row, written at the first start with SECRET_KEY: a text that only this key decrypts. */
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
  /** The id of a staff member, an API key or a customer. */
  actor_id: string | null
  address: string | null
  request_id: string | null
  action: AuditAction
  entity: AuditEntity
  entity_id: string | null
  /** What the record was called at the time. */
  label: string
  /** The record's version after the change. */
  version: number | null
  /** The changed fields by column, with their values before and after the change. */
  before: ColumnType<Fields | null, string | null, never>
  after: ColumnType<Fields | null, string | null, never>
  reason: string | null
  /** The id of the change that this one undoes. */
  undoes: string | null
}

export type Fields = Record<string, unknown>

/** Work outside the database, and the sweeps; see `server/jobs/`. */
export type JobsTable = {
  id: Generated<string>
  kind: string
  key: string
  payload: ColumnType<Record<string, unknown>, string | undefined, string>
  run_at: Date
  /** Number of runs that have begun. */
  tries: Generated<number>
  /** Null: no limit. */
  max_tries: number | null
  /** The current run, and until when no other server takes the job. */
  lease_id: string | null
  lease_until: Date | null
  last_error: string | null
  /** The request whose change queued the job, set by a trigger; null for sweeps. */
  request_id: Generated<string | null>
  created_at: CreatedAt
  done_at: Date | null
  /** When the job was given up; staff can have it tried again. */
  dead_at: Date | null
}

/** Scheduled backups that were read back whole and are still kept; their files are elsewhere. */
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
  /** The beginning of the key, by which people recognise it. */
  prefix: string
  /** SHA-256 of the key. */
  key_hash: Buffer
  pages: PageCode[]
  view_only_pages: Generated<PageCode[]>
  /** Null: all locations. */
  location_ids: string[] | null
  /** The last day on which the key is valid, in the business time zone; null: no end. */
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
  /** Null: all locations. */
  location_ids: string[] | null
  created_at: CreatedAt
  deleted_at: Generated<Date | null>
  version: Version
}

/** Filled by a trigger on `audit`. */
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
  /** The mail server's last response, or why it could not be reached. */
  response: string | null
  created_at: Date
  sent_at: Date | null
  /** The staff member whose password the mail's link sets; the link is made when the mail is sent. */
  link_for: string | null
  /** For messages about bookings: the id of their series, or of the booking itself. */
  group_id: string | null
  /** The bookings as the message describes them. */
  bookings: Json<ToldBooking[]> | null
  /** The text of the QR code, shown as the image `cid:code`. */
  code: string | null
  calendar: string | null
}

/** What a customer is told of a booking. Times are the pod's wall clock labelled Z. */
export type ToldBooking = {
  bookingId: string
  podId: string
  /** Absent in mails of older servers. */
  locationId?: string
  start: string
  end: string
  isCancelled: boolean
}

type MessageTemplatesTable = {
  id: Generated<string>
  kind: MessageKind
  is_enabled: boolean
  /** Null, like `body`: the product's own text. */
  subject: string | null
  body: string | null
  version: Version
}

/**
 * What the customer knows of a booking; a trigger on `audit` adds the row, as the booking was before its first change.
 */
type ToldBookingsTable = {
  booking_id: string
  /** Null, like the next four columns, while the customer knows nothing. */
  pod_id: string | null
  /** Null too when an older server has written the message. */
  location_id: string | null
  start_time: Date | null
  end_time: Date | null
  is_cancelled: boolean | null
  told_at: Date | null
  /** The start time that a reminder was written for. */
  reminded_for: Date | null
}

/** Requests that created something, kept for a day; written by `server/modules/idempotency/`. */
type IdempotencyKeysTable = {
  /** Id of a staff member or an API key; the column is older than API keys. */
  staff_id: string
  /** SHA-256 of the key. */
  key_hash: Buffer
  request_hash: Buffer
  /** Null only within the transaction that adds the row, so nobody else ever sees it null. */
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
  open_balances: OpenBalancesTable
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
