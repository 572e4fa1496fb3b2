import { listTables, type Table } from '../db/tables.ts'

/**
 * A backup is a gzipped text with one JSON value per line: the header, each table's name followed by its rows, the
 * images, and an end line with counts and, from version 2 on, the SHA-256 of all lines before it. Both engines write
 * the same format.
 */
export const FORMAT = 'podkeeper-backup'
export const VERSION = 2
export const OLDEST_VERSION = 1

export type Line =
  | { kind: 'header'; format: typeof FORMAT; version: number; createdAt: string; migrations: string[] }
  | { kind: 'table'; table: Table }
  /** The JSON text of the row: parsing a number and writing it again would lose trailing zeros, or digits. */
  | { kind: 'row'; row: string }
  | { kind: 'image'; key: string; contentType: string; base64: string }
  | ({ kind: 'end'; sha256?: string } & Counts)

/** Numbers of rows and images; of the rows of each table too, except in older files. */
export type Counts = { rows: number; images: number; tables?: Record<string, number> }

export const toRowText = (row: string) => `${ROW_START}${row}}\n`
/** The beginning of the line of a row, which ends with a brace. */
export const ROW_START = '{"kind":"row","row":'

export class BackupError extends Error {
  constructor(problem: string, cause?: unknown) {
    super(`This backup is damaged: ${problem}. Nothing was changed.`, { cause })
  }
}

export const OF_NEWER_RELEASE =
  'This backup was made by a newer release of Podkeeper. Restore it with that one. Nothing was changed.'

/** The tables in a backup, parents before children. */
export const backupTables = listTables('record', 'setting')

/** Returns the storage key of an image from its URL. */
export const toImageKey = (url: string) => url.slice(url.lastIndexOf('/') + 1)
