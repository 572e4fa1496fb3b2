import { listTables, type Table } from '../db/tables.ts'

/**
 * A backup is a gzipped text with one JSON value a line: the header, each table's name followed by its rows, the images,
 * and an end line with counts and, from version 2 on, the SHA-256 of all lines before it. The same from both engines.
 */
export const FORMAT = 'podkeeper-backup'
export const VERSION = 2
export const OLDEST_VERSION = 1

export type Line =
  | { kind: 'header'; format: typeof FORMAT; version: number; createdAt: string; migrations: string[] }
  | { kind: 'table'; table: Table }
  /** The row's own text: a number read and written again would lose its last zeros, or digits. */
  | { kind: 'row'; row: string }
  | { kind: 'image'; key: string; contentType: string; base64: string }
  | ({ kind: 'end'; sha256?: string } & Counts)

/** Of each table too, but for files of before that. */
export type Counts = { rows: number; images: number; tables?: Record<string, number> }

export const toRowText = (row: string) => `${ROW_START}${row}}\n`
/** How the line of a row begins, which ends with a brace. */
export const ROW_START = '{"kind":"row","row":'

export class BackupError extends Error {
  constructor(problem: string, cause?: unknown) {
    super(`This backup is damaged: ${problem}. Nothing was changed.`, { cause })
  }
}

export const OF_NEWER_RELEASE =
  'This backup was made by a newer release of Podkeeper. Restore it with that one. Nothing was changed.'

/** Parents before children. */
export const backupTables = listTables('record', 'setting')

/** The storage key of an image. */
export const toImageKey = (url: string) => url.slice(url.lastIndexOf('/') + 1)
