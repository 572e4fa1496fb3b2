import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { BackupError, FORMAT, type Line, OF_NEWER_RELEASE, OLDEST_VERSION, VERSION } from './backup-format.ts'

const NO_BACKUP = 'This file is no backup of Podkeeper.'

type Header = Extract<Line, { kind: 'header' }>
type Content = Exclude<Line, { kind: 'header' | 'end' }>

/** Reads a whole file and throws unless it is intact, so that the restore can rely on every line. */
export async function checkBackup(file: string): Promise<Header> {
  const lines = readBackup(file)
  const header = (await lines.next()).value
  if (header?.kind !== 'header') throw new BackupError('it has no header')
  for await (const _ of lines);
  return header
}

/**
 * The lines of a backup in the order of the format: the header, each table followed by its rows, the images. Throws at the
 * end unless counts and checksum match.
 */
export async function* readBackup(file: string): AsyncGenerator<Line, undefined, void> {
  const hash = createHash('sha256')
  const tables = new Set<string>()
  const seen = { rows: 0, images: 0 }
  let version: number | undefined
  let ended = false
  for await (const text of readLines(file)) {
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
    else if (line.kind !== 'end') note(line, tables, seen)
    hash.update(text).update('\n')
    yield line
  }
  if (!ended) throw new BackupError('its end is missing')
}

type Counts = { rows: number; images: number }

function requireCounts(said: Counts, seen: Counts): void {
  if (said.rows === seen.rows && said.images === seen.images) return
  throw new BackupError(
    `it holds ${seen.rows} rows and ${seen.images} pictures, and was written with ${said.rows} and ${said.images}`,
  )
}

function note(line: Content, tables: Set<string>, seen: Counts): void {
  if (line.kind === 'image') {
    seen.images += 1
    return
  }
  if (seen.images > 0) throw new BackupError('rows follow its pictures')
  if (line.kind === 'row') {
    if (tables.size === 0) throw new BackupError('it has rows of no table')
    seen.rows += 1
    return
  }
  if (tables.has(line.table)) throw new BackupError(`it has the table ${line.table} twice`)
  tables.add(line.table)
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
  return value as Line // Its fields are held against the checksum; those of older files against the database.
}

function requireHeader(line: Line): Header {
  if (line.kind !== 'header' || line.format !== FORMAT) throw new Error(NO_BACKUP)
  if (!(line.version >= OLDEST_VERSION && line.version <= VERSION)) {
    throw new Error(OF_NEWER_RELEASE)
  }
  return line
}

/** Splits at line feeds only: `node:readline` also splits at characters such as U+2028, which JSON does not escape. */
async function* readLines(file: string): AsyncGenerator<string, void, void> {
  const chunks = createGunzip()
  // A missing or damaged file ends the stream with its error.
  pipeline(createReadStream(file), chunks, () => undefined)
  chunks.setEncoding('utf8')
  let rest = ''
  try {
    for await (const chunk of chunks as AsyncIterable<string>) {
      const lines = chunk.split('\n')
      lines[0] = rest + lines[0]
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch (error) {
    throw toReadError(error)
  }
  if (rest !== '') throw new BackupError('its last line is cut off')
}

function toReadError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return new Error('There is no such file.', { cause: error })
  if (error instanceof Error && error.message === 'incorrect header check')
    return new Error(NO_BACKUP, { cause: error })
  if (code === 'Z_BUF_ERROR') return new BackupError('it is cut off', error)
  if (typeof code === 'string' && code.startsWith('Z_')) return new BackupError('it cannot be unpacked', error)
  return error
}
