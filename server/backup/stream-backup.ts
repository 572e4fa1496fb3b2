import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.ts'
import { migrations } from '../db/migrations/index.ts'
import { streamRows } from '../db/stream.ts'
import type { ImageStorage } from '../storage/image-storage.ts'
import { backupTables, type Counts, FORMAT, type Line, toImageKey, toRowText, VERSION } from './backup-format.ts'

export type BackupResult = Required<Counts>

export type BackupSource = { db: Db; storage: ImageStorage }
type BackupOptions = {
  onProgress?: (text: string) => void
  /** Called for each image that the database names and the storage does not have. */
  onMissing?: (key: string) => void
  signal?: AbortSignal | undefined
}

/** Passes a backup to `write`, as fast as it takes the bytes: a snapshot of all tables, and all images. */
export async function streamBackup(
  { db, storage }: BackupSource,
  write: (bytes: AsyncIterable<Buffer>) => Promise<void>,
  { onProgress = () => undefined, onMissing = () => undefined, signal }: BackupOptions = {},
): Promise<BackupResult> {
  const result: BackupResult = { rows: 0, images: 0, tables: {} }
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx)
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
      const texts = Readable.from(withChecksum(listTexts(tx, storage, result, { onProgress, onMissing })))
      let written: Promise<void> | undefined
      const end = (bytes: AsyncIterable<Buffer>) => (written = write(bytes))
      await pipeline(texts, createGzip(), end, { signal }).catch(async (error: unknown) => {
        // An aborted pipeline does not wait for `write`, which still has to remove what it has written. A `write` that
        // fails, as on a full disk, aborts it too, and only `write` itself says why.
        const isOver = isAbort(error) && !signal?.aborted
        await written?.catch((reason: unknown) => {
          if (isOver) throw reason
        })
        throw error
      })
    })
  return result
}

const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError'

async function* withChecksum(texts: AsyncGenerator<string, BackupResult, void>): AsyncGenerator<string> {
  const hash = createHash('sha256')
  for (;;) {
    const { done, value } = await texts.next()
    if (done) {
      yield toText({ kind: 'end', ...value, sha256: hash.digest('hex') })
      return
    }
    hash.update(value)
    yield value
  }
}

const toText = (line: Line) => `${JSON.stringify(line)}\n`

/** Yields all lines but the last, several at a time. */
async function* listTexts(
  tx: Tx,
  storage: ImageStorage,
  result: BackupResult,
  { onProgress, onMissing }: Required<Pick<BackupOptions, 'onProgress' | 'onMissing'>>,
): AsyncGenerator<string, BackupResult, void> {
  yield toText({
    kind: 'header',
    format: FORMAT,
    version: VERSION,
    createdAt: new Date().toISOString(),
    migrations: Object.keys(migrations),
  })
  for (const table of backupTables) {
    onProgress(table)
    yield toText({ kind: 'table', table })
    let rows = 0
    // The database makes the JSON, so that numbers and times keep every digit.
    const query = sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(table)} as t`.compile(tx)
    for await (const batch of streamRows<{ row: string }>(tx, query)) {
      yield batch.map(({ row }) => toRowText(row)).join('')
      rows += batch.length
    }
    result.tables[table] = rows
    result.rows += rows
  }
  onProgress('images')
  const query = tx.selectFrom('images').select(['url', 'thumbnail_url'])
  for await (const batch of streamRows(tx, query, { batch: 100 })) {
    for (const url of batch.flatMap((image) => [image.url, image.thumbnail_url])) {
      const key = toImageKey(url)
      const found = await storage.find(key)
      if (!found) {
        onMissing(key)
        continue
      }
      const base64 = (await buffer(found.body)).toString('base64')
      yield toText({ kind: 'image', key, contentType: 'image/webp', base64 })
      result.images += 1
    }
  }
  return result
}
