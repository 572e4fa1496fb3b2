import { createHash } from 'node:crypto'
import { pipeline, type Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { createGunzip } from 'node:zlib'
import { findCode } from '../error-code.ts'
import { readLines } from '../read-lines.ts'
import {
  BackupError,
  type Counts,
  FORMAT,
  type Line,
  OF_NEWER_RELEASE,
  OLDEST_VERSION,
  ROW_START,
  VERSION,
} from './backup-format.ts'

const NO_BACKUP = 'This file is no backup of Podkeeper.'

type Header = Extract<Line, { kind: 'header' }>
type Content = Exclude<Line, { kind: 'header' | 'end' }>

/** Opens a backup at its beginning; called once for each time that it is read. */
export type OpenBackup = () => Promise<Readable>

/** Reads a whole backup and throws unless it is intact, so that the restore can rely on every line. */
export async function checkBackup(open: OpenBackup): Promise<{ header: Header; counts: Required<Counts> }> {
  const lines = readBackup(open)
  const header = (await lines.next()).value
  if (header === undefined || !('kind' in header) || header.kind !== 'header') {
    throw new BackupError('it has no header')
  }
  for (;;) {
    const next = await lines.next()
    if (next.done) return { header, counts: next.value }
  }
}

/**
 * Yields the lines of a backup in the order of the format: the header, each table followed by its rows, the images.
 * Throws at the end unless counts and checksum match; returns the counts.
 */
export async function* readBackup(open: OpenBackup): AsyncGenerator<Line, Required<Counts>, void> {
  const hash = createHash('sha256')
  const seen: Required<Counts> = { rows: 0, images: 0, tables: {} }
  let table: string | undefined
  let version: number | undefined
  let ended = false
  for await (const text of readTexts(open)) {
    if (ended) throw new BackupError('something follows its end')
    const line = parseLine(text)
    if (line.kind === 'end' && version !== undefined) {
      requireCounts(line, seen)
      if (version > OLDEST_VERSION && line.sha256 !== hash.digest('hex')) {
        throw new BackupError('it is not what was written, its checksum is another')
      }
      ended = true
      continue
    }
    if (version === undefined) version = requireHeader(line).version
    else if (line.kind === 'header') throw new BackupError('it has two headers')
    else if (line.kind !== 'end') table = count(line, table, seen)
    hash.update(text).update('\n')
    yield line
  }
  if (!ended) throw new BackupError('its end is missing')
  return seen
}

function requireCounts(said: Counts, seen: Required<Counts>): void {
  if (said.rows !== seen.rows || said.images !== seen.images) {
    throw new BackupError(
      `it holds ${seen.rows} rows and ${seen.images} images, and was written with ${said.rows} and ${said.images}`,
    )
  }
  if (said.tables && !isDeepStrictEqual(said.tables, seen.tables)) {
    throw new BackupError('its tables do not hold as many rows as they were written with')
  }
}

/** Counts a line; returns the table that the following rows belong to. */
function count(line: Content, table: string | undefined, seen: Required<Counts>): string | undefined {
  if (line.kind === 'image') {
    seen.images += 1
    return table
  }
  if (seen.images > 0) throw new BackupError('rows follow its images')
  if (line.kind === 'row') {
    if (table === undefined) throw new BackupError('it has rows of no table')
    seen.rows += 1
    seen.tables[table] = (seen.tables[table] ?? 0) + 1
    return table
  }
  if (line.table in seen.tables) throw new BackupError(`it has the table ${line.table} twice`)
  seen.tables[line.table] = 0
  return line.table
}

const kinds: readonly string[] = ['header', 'table', 'row', 'image', 'end'] satisfies Line['kind'][]

function parseLine(text: string): Line {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new BackupError('a line of it is broken')
  }
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? String(value.kind) : ''
  if (!kinds.includes(kind)) throw new BackupError('a line of it is of no known kind')
  if (kind === 'row') {
    if (!text.startsWith(ROW_START)) throw new BackupError('a row of it is broken')
    return { kind, row: text.slice(ROW_START.length, -1) }
  }
  return value as Line // The checksum verifies its fields; in older files, the database does.
}

function requireHeader(line: Line): Header {
  if (line.kind !== 'header' || line.format !== FORMAT) throw new Error(NO_BACKUP)
  if (!(line.version >= OLDEST_VERSION && line.version <= VERSION)) {
    throw new Error(OF_NEWER_RELEASE)
  }
  return line
}

async function* readTexts(open: OpenBackup): AsyncGenerator<string, void, void> {
  const chunks = createGunzip()
  // A damaged file, or a store that becomes unavailable, ends the stream with its error.
  pipeline(await open(), chunks, () => undefined)
  let rest: string
  try {
    rest = yield* readLines(chunks)
  } catch (error) {
    throw toReadError(error)
  }
  if (rest !== '') throw new BackupError('its last line is cut off')
}

function toReadError(error: unknown): unknown {
  const code = findCode(error)
  if (error instanceof Error && error.message === 'incorrect header check')
    return new Error(NO_BACKUP, { cause: error })
  if (code === 'Z_BUF_ERROR') return new BackupError('it is cut off', error)
  if (code?.startsWith('Z_')) return new BackupError('it cannot be unpacked', error)
  return error
}
