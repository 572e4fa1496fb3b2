import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.ts'
import { migrations } from '../db/migrations/index.ts'
import { migrateToLatest } from '../db/migrations/migrate.ts'
import { listTables } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import { withRemovalAllowed } from '../modules/audit/archive.ts'
import type { ImageStorage } from '../storage/image-storage.ts'
import { BackupError, backupTables, type Counts, OF_NEWER_RELEASE, toImageKey } from './backup-format.ts'
import { createImageChanges, type ImageChanges } from './image-changes.ts'
import { checkBackup, type OpenBackup, readBackup } from './read-backup.ts'

const BATCH_ROWS = 500
/** A schema for the rows of an earlier release until they are migrated; dropped in the same transaction. */
const EARLIER_SCHEMA = 'podkeeper_restore'

type Restored = { rows: number; images: number }

type RestoreOptions = {
  /** Overwrites a database that is not empty. */
  replace?: boolean
  onProgress?: (text: string) => void
  /** Interrupts the restore, which then changes nothing. */
  signal?: AbortSignal
}

/**
 * Restores a backup's rows and images, all or nothing. Images of overwritten rows are deleted. The database is migrated
 * once the file is found whole; a backup of an earlier release is migrated during the restore.
 */
export async function restoreBackup(
  { db, storage }: { db: Db; storage: ImageStorage },
  open: OpenBackup,
  { replace = false, onProgress = () => undefined, signal }: RestoreOptions = {},
): Promise<Restored> {
  onProgress('checking the file')
  const { header, counts } = await checkBackup(open)
  const unknown = header.migrations.find((name) => !(name in migrations))
  if (unknown !== undefined) throw new Error(OF_NEWER_RELEASE)
  onProgress(describe(header, counts))
  if (!replace) await requireEmpty(db)
  await migrateToLatest(db)
  const later = Object.keys(migrations).filter((name) => !header.migrations.includes(name))
  const images = createImageChanges(storage)
  try {
    const { result, outdated } = await inTransaction(db, async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx)
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
      // Keeps triggers from announcing restored records, which were announced before the backup.
      await sql`select set_config('podkeeper.importing', 'on', true)`.execute(tx)
      if (!replace) await requireEmpty(tx)
      const before = await listImageKeys(tx)
      const emptied = listTables('record', 'setting', 'session').map((table) => sql.table(table))
      const insert = () => insertAll(tx, open, images, { onProgress, signal })
      const result = await withRemovalAllowed(tx, async () => {
        await sql`truncate ${sql.join(emptied)}`.execute(tx)
        return later.length === 0 ? insert() : migrateOnTheWay(tx, header.migrations, later, insert)
      })
      const kept = new Set(await listImageKeys(tx))
      return { result, outdated: before.filter((key) => !kept.has(key)) }
    })
    const left = await images.remove(outdated)
    if (left > 0) onProgress(`${left} earlier images could not be removed`)
    return result
  } catch (error) {
    await images.undo()
    throw error
  }
}

function describe(header: { createdAt: string }, { rows, images, tables }: Required<Counts>): string {
  const size = `${rows.toLocaleString('en')} rows, ${(tables.bookings ?? 0).toLocaleString('en')} of them bookings, and ${images.toLocaleString('en')} images`
  return `it is whole: ${size}, as they were on ${header.createdAt.slice(0, 16).replace('T', ' at ')} UTC`
}

async function insertAll(
  tx: Tx,
  open: OpenBackup,
  images: ImageChanges,
  { onProgress, signal }: { onProgress: (text: string) => void; signal: AbortSignal | undefined },
): Promise<Restored> {
  const result: Restored = { rows: 0, images: 0 }
  let table = ''
  let rows: string[] = []
  const flush = async () => {
    if (rows.length > 0) await insertRows(tx, table, rows)
    result.rows += rows.length
    rows = []
  }
  for await (const line of readBackup(open)) {
    signal?.throwIfAborted()
    if (line.kind === 'row') {
      rows.push(line.row)
      if (rows.length >= BATCH_ROWS) await flush()
      continue
    }
    await flush()
    if (line.kind === 'table') {
      onProgress(line.table)
      table = line.table
      await requireTable(tx, table)
      // Deletes the rows that migrations insert.
      await sql`delete from ${sql.id(table)}`.execute(tx)
    } else if (line.kind === 'image') {
      if (result.images === 0) onProgress('images')
      await images.put(line.key, Buffer.from(line.base64, 'base64'), line.contentType)
      result.images += 1
    }
  }
  await flush()
  return result
}

/**
 * Inserts into tables of the backup's release, in a schema of their own, runs the later migrations on them, and copies
 * the rows into the current tables.
 */
async function migrateOnTheWay(
  tx: Tx,
  earlier: string[],
  later: string[],
  insert: () => Promise<Restored>,
): Promise<Restored> {
  const here = await getSearchPath(tx)
  await sql`create schema ${sql.id(EARLIER_SCHEMA)}`.execute(tx)
  // The current schema comes second in the search path, so that extensions are not created twice.
  await setSearchPath(tx, `${EARLIER_SCHEMA}, ${here.path}`)
  await migrate(tx, earlier)
  // That release's own history is append-only too, and inserting begins by emptying each table.
  const result = await withRemovalAllowed(tx, insert)
  await migrate(tx, later)
  await setSearchPath(tx, here.path)
  for (const table of backupTables) await copyRows(tx, EARLIER_SCHEMA, here.schema, table)
  await sql`drop schema ${sql.id(EARLIER_SCHEMA)} cascade`.execute(tx)
  return result
}

async function migrate(tx: Tx, names: string[]): Promise<void> {
  for (const name of names) await migrations[name]?.up(tx)
}

async function getSearchPath(tx: Tx): Promise<{ path: string; schema: string }> {
  const { rows } = await sql<{ path: string; schema: string }>`
    select current_setting('search_path') as path, current_schema() as schema`.execute(tx)
  if (!rows[0]) throw new Error('The database names no schema')
  return rows[0]
}

async function setSearchPath(tx: Tx, path: string): Promise<void> {
  await sql`select set_config('search_path', ${path}, true)`.execute(tx)
}

async function copyRows(tx: Tx, from: string, to: string, table: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
     where attrelid = ${`"${to}"."${table}"`}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(
    tx,
  )
  const columns = sql.join(rows.map(({ name }) => sql.id(name)))
  await sql`insert into ${sql.id(to, table)} (${columns}) select ${columns} from ${sql.id(from, table)}`.execute(tx)
}

async function insertRows(tx: Tx, table: string, rows: string[]): Promise<void> {
  const name = sql.id(table)
  await sql`insert into ${name} select * from jsonb_populate_recordset(null::${name}, ${`[${rows.join(',')}]`}::jsonb)`.execute(
    tx,
  )
}

/** Works with a database of any release, also a new one. */
async function requireEmpty(db: Db): Promise<void> {
  const { rows: there } = await sql<{ name: string }>`
    select tablename as name from pg_tables
     where schemaname = current_schema() and tablename in (${sql.join(listTables('record'))})`.execute(db)
  if (there.length === 0) return
  const { rows } = await sql<{ filled: boolean }>`
    select ${sql.join(
      there.map(({ name }) => sql`exists (select from ${sql.table(name)})`),
      sql` or `,
    )} as filled`.execute(db)
  if (rows[0]?.filled) {
    throw new Error(
      'The database is not empty. Restore into a new one, or add --replace to overwrite everything in it.',
    )
  }
}

/** Throws unless the table belongs to the backup's release; tables of the system do not. */
async function requireTable(tx: Tx, name: string): Promise<void> {
  const { rows } = await sql<{ exists: boolean }>`
    select exists (
      select from pg_tables where tablename = ${name} and schemaname = current_schema() and tablename not like 'kysely%'
    ) as exists`.execute(tx)
  if (!rows[0]?.exists) throw new BackupError(`it holds a table that is not known here, ${name}`)
}

/** Returns the storage keys of all images in the database. */
async function listImageKeys(tx: Tx): Promise<string[]> {
  const images = await tx.selectFrom('images').select(['url', 'thumbnail_url']).execute()
  return images.flatMap(({ url, thumbnail_url }) => [toImageKey(url), toImageKey(thumbnail_url)])
}
