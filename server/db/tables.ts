import type { Database } from './schema.ts'

/**
 * - `record`: what staff and customers have made. In backups; must be empty before a restore.
 * - `setting`: what the server keeps about the platform, from its first start on. In backups.
 * - `session`: short-lived, not in backups; a restore empties it, so that everyone has to sign in again.
 * - `derived`: kept up to date by triggers from the other tables, not in backups.
 */
type TableKind = 'record' | 'setting' | 'session' | 'derived'

/**
 * What staff with some locations see of a table (rules §37.3).
 * - `narrowed`: what belongs to their locations, by a condition in `within-locations.ts`.
 * - `joined`: all of it, as it is only ever read through its pod, location, closure, booking or person. The search texts
 *   are read by list, and each list's are narrowed like its records.
 * - `platform`: all of it: it holds nothing of a single location, or only people with all locations may read it.
 * - `own`: all of it, as it is only ever read for the person it belongs to.
 */
type Seen = 'narrowed' | 'joined' | 'platform' | 'own'

/** Tables whose rows belong to a location, which not everyone may see. */
type LocatedTable = {
  [T in keyof Database]: keyof Database[T] & ('location_id' | 'pod_id' | 'booking_id') extends never ? never : T
}[keyof Database]

type UnreadTable = 'login_attempts' | 'search_texts' | 'search_words' | 'search_refreshes' | 'undone_changes'

/**
 * Every table, parents before children. Backup, restore and the tests' clean-up follow this list; `tables.test.ts`
 * checks it against the database.
 */
const tables = {
  staff: ['record', 'platform'],
  second_factors: ['record', 'own'],
  recovery_codes: ['record', 'own'],
  passkeys: ['record', 'own'],
  api_keys: ['record', 'platform'],
  users: ['record', 'narrowed'],
  locations: ['record', 'narrowed'],
  features: ['record', 'platform'],
  images: ['record', 'platform'],
  pods: ['record', 'narrowed'],
  pod_features: ['record', 'joined'],
  pod_images: ['record', 'joined'],
  companies: ['record', 'narrowed'],
  series: ['record', 'narrowed'],
  opening_hours: ['record', 'joined'],
  hour_exceptions: ['record', 'joined'],
  closures: ['record', 'narrowed'],
  closure_pods: ['record', 'joined'],
  closure_instances: ['record', 'joined'],
  bookings: ['record', 'narrowed'],
  booking_slots: ['record', 'narrowed'],
  told_bookings: ['record', 'joined'],
  transactions: ['record', 'narrowed'],
  audit: ['record', 'narrowed'],
  pricing: ['setting', 'platform'],
  message_templates: ['setting', 'platform'],
  role_presets: ['setting', 'platform'],
  secret_key_check: ['setting', 'platform'],
  jobs: ['setting', 'platform'],
  mails: ['record', 'platform'],
  webhooks: ['record', 'platform'],
  webhook_deliveries: ['record', 'platform'],
  sessions: ['session', 'own'],
  sign_in_addresses: ['session', 'own'],
  password_links: ['session', 'own'],
  sign_in_challenges: ['session', 'own'],
  login_attempts: ['session', 'platform'],
  idempotency_keys: ['session', 'own'],
  backups: ['session', 'platform'],
  open_balances: ['derived', 'joined'],
  undone_changes: ['derived', 'joined'],
  search_texts: ['derived', 'joined'],
  search_words: ['derived', 'platform'],
  search_refreshes: ['derived', 'platform'],
  row_counts: ['derived', 'narrowed'],
} as const satisfies {
  [T in keyof Database | UnreadTable]: readonly [TableKind, T extends LocatedTable ? 'narrowed' | 'joined' : Seen]
}

export type Table = keyof typeof tables
export type NarrowedTable = { [T in Table]: (typeof tables)[T][1] extends 'narrowed' ? T : never }[Table]

/** Returns the tables of these kinds, parents before children. */
export function listTables(...kinds: [TableKind, ...TableKind[]]): Table[] {
  return tableNames.filter((table) => kinds.includes(tables[table][0]))
}

export const tableNames = Object.keys(tables) as Table[] // the constant has no other keys
