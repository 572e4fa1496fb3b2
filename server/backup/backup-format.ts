import type { Database } from '../db/schema.ts'

/**
 * A backup is one gzipped text, a JSON value a line: the header, the rows of each table after a line that names it, the
 * pictures, and an end line without which the file is incomplete. The same from both engines.
 */
export const FORMAT = 'podkeeper-backup'
export const VERSION = 1

export type Line =
  | { kind: 'header'; format: typeof FORMAT; version: number; createdAt: string; migrations: string[] }
  | { kind: 'table'; table: BackupTable }
  | { kind: 'row'; row: unknown }
  | { kind: 'image'; key: string; contentType: string; base64: string }
  | { kind: 'end'; rows: number; images: number }

/** Parents before children. Sessions, known addresses and counted attempts of sign-in are of the moment and stay behind. */
export const backupTables = [
  'staff',
  'users',
  'locations',
  'features',
  'images',
  'pods',
  'pod_features',
  'pod_images',
  'bookings',
  'booking_slots',
  'transactions',
  'pricing',
  'secret_key_check',
] as const satisfies (keyof Database)[]

export type BackupTable = (typeof backupTables)[number]
