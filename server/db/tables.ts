import type { Database } from './schema.ts'

/**
 * - `record`: what staff and customers have made. In backups; must be empty before a restore.
 * - `setting`: what the server keeps about the platform, from its first start on. In backups.
 * - `session`: short-lived, not in backups; a restore empties it, so that everyone has to sign in again.
 * - `derived`: kept up to date by triggers from the other tables, not in backups.
 */
type TableKind = 'record' | 'setting' | 'session' | 'derived'

type UnreadTable = 'login_attempts' | 'search_texts' | 'search_words' | 'search_refreshes' | 'undone_changes'

/**
 * Every table, parents before children. Backup, restore and the tests' clean-up follow this list; `tables.test.ts`
 * checks it against the database.
 */
const tables = {
  staff: 'record',
  second_factors: 'record',
  recovery_codes: 'record',
  passkeys: 'record',
  api_keys: 'record',
  users: 'record',
  locations: 'record',
  features: 'record',
  images: 'record',
  pods: 'record',
  pod_features: 'record',
  pod_images: 'record',
  companies: 'record',
  series: 'record',
  opening_hours: 'record',
  hour_exceptions: 'record',
  closures: 'record',
  closure_pods: 'record',
  closure_instances: 'record',
  bookings: 'record',
  booking_slots: 'record',
  told_bookings: 'record',
  transactions: 'record',
  audit: 'record',
  pricing: 'setting',
  message_templates: 'setting',
  role_presets: 'setting',
  secret_key_check: 'setting',
  jobs: 'setting',
  mails: 'record',
  webhooks: 'record',
  webhook_deliveries: 'record',
  sessions: 'session',
  sign_in_addresses: 'session',
  password_links: 'session',
  sign_in_challenges: 'session',
  login_attempts: 'session',
  idempotency_keys: 'session',
  backups: 'session',
  undone_changes: 'derived',
  search_texts: 'derived',
  search_words: 'derived',
  search_refreshes: 'derived',
  row_counts: 'derived',
} as const satisfies Record<keyof Database | UnreadTable, TableKind>

export type Table = keyof typeof tables

/** Returns the tables of these kinds, parents before children. */
export function listTables(...kinds: [TableKind, ...TableKind[]]): Table[] {
  return tableNames.filter((table) => kinds.includes(tables[table]))
}

export const tableNames = Object.keys(tables) as Table[] // the constant has no other keys
