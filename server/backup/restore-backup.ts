import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.ts'
import { migrations } from '../db/migrations/index.ts'
import { inTransaction } from '../db/transaction.ts'
import type { ImageStorage } from '../storage/image-storage.ts'
import { type BackupTable, backupTables, FORMAT, type Line, VERSION } from './backup-format.ts'
import type { BackupResult } from './create-backup.ts'

const BATCH_ROWS = 500

type RestoreOptions = {
  /** Overwrite a database that holds something. */
  replace?: boolean
  onProgress?: (text: string) => void
}

/** Puts a backup into the database, all of it or nothing, and its pictures into the storage. */
export async function restoreBackup(
  { db, storage }: { db: Db; storage: ImageStorage },
  file: string,
  { replace = false, onProgress = () => undefined }: RestoreOptions = {},
): Promise<BackupResult> {
  return inTransaction(db, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
    if (!replace) await requireEmpty(tx)
    await sql`truncate ${sql.join([...backupTables, 'sessions', 'sign_in_addresses', 'login_attempts'].map((table) => sql.table(table)))}`.execute(
      tx,
    )
    const result: BackupResult = { rows: 0, images: 0 }
    let table: BackupTable | undefined
    let rows: unknown[] = []
    let ended = false
    const flush = async () => {
      if (table !== undefined && rows.length > 0) await insertRows(tx, table, rows)
      result.rows += rows.length
      rows = []
    }
    for await (const line of readLines(file)) {
      if (line.kind === 'header') requireKnown(line)
      else if (line.kind === 'row') {
        rows.push(line.row)
        if (rows.length >= BATCH_ROWS) await flush()
      } else {
        await flush()
        if (line.kind === 'table') {
          onProgress(line.table)
          table = requireTable(line.table)
        } else if (line.kind === 'image') {
          await storage.put(line.key, Buffer.from(line.base64, 'base64'), line.contentType)
          result.images += 1
        } else ended = true
      }
    }
    if (!ended) throw new Error('This backup is incomplete: its end is missing. Nothing was changed.')
    return result
  })
}

async function insertRows(tx: Tx, table: BackupTable, rows: unknown[]): Promise<void> {
  const name = sql.table(table)
  await sql`insert into ${name} select * from jsonb_populate_recordset(null::${name}, ${JSON.stringify(rows)}::jsonb)`.execute(
    tx,
  )
}

async function requireEmpty(tx: Tx): Promise<void> {
  const { rows } = await sql<{ filled: boolean }>`
    select exists (select from staff) or exists (select from locations) or exists (select from users) as filled`.execute(
    tx,
  )
  if (rows[0]?.filled) {
    throw new Error(
      'The database is not empty. Restore into a new one, or add --replace to overwrite everything in it.',
    )
  }
}

function requireKnown(header: Extract<Line, { kind: 'header' }>): void {
  if (header.format !== FORMAT || header.version !== VERSION) throw new Error('This file is no backup of Podkeeper.')
  const here = Object.keys(migrations).join(', ')
  if (header.migrations.join(', ') !== here) {
    throw new Error(
      `This backup is of another version of the schema (${header.migrations.join(', ')}; here: ${here}). Restore it with the version that made it, then upgrade.`,
    )
  }
}

/** The name goes into a statement: only one of ours does. */
function requireTable(name: string): BackupTable {
  const table = backupTables.find((known) => known === name)
  if (table === undefined) throw new Error(`This backup holds a table that is not known here: ${name}`)
  return table
}

async function* readLines(file: string): AsyncGenerator<Line> {
  const text = createGunzip()
  // A missing or damaged file ends the reading with its error.
  pipeline(createReadStream(file), text, () => undefined)
  let isFirst = true
  try {
    for await (const line of createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })) {
      const value = JSON.parse(line) as Line // checked below and by requireTable; rows are checked by the database
      if (isFirst && value.kind !== 'header') throw new Error('This file is no backup of Podkeeper.')
      isFirst = false
      yield value
    }
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new Error('This file is no backup of Podkeeper, or it is damaged.', { cause: error })
    throw error
  }
  if (text.errored) throw new Error(`This backup cannot be read: ${text.errored.message}`)
}
