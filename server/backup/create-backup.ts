import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/client.ts'
import { migrations } from '../db/migrations/index.ts'
import { streamRows } from '../db/stream.ts'
import type { ImageStorage } from '../storage/image-storage.ts'
import { backupTables, FORMAT, type Line, toImageKey, VERSION } from './backup-format.ts'

export type BackupResult = { rows: number; images: number }

/** Writes a snapshot of all tables, and all images, to a file, which gets its name when it is complete. */
export async function createBackup(
  { db, storage }: { db: Db; storage: ImageStorage },
  file: string,
  onProgress: (text: string) => void = () => undefined,
): Promise<BackupResult> {
  const result: BackupResult = { rows: 0, images: 0 }
  const partial = `${file}.partial`
  try {
    await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        await sql`set local statement_timeout = 0`.execute(tx)
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
        const lines = Readable.from(toText(listLines(tx, storage, result, onProgress)))
        await pipeline(lines, createGzip(), createWriteStream(partial, { mode: 0o600, flush: true }))
      })
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  return result
}

async function* toText(lines: AsyncIterable<Line>): AsyncGenerator<string> {
  const hash = createHash('sha256')
  for await (const line of lines) {
    const whole = line.kind === 'end' ? { ...line, sha256: hash.digest('hex') } : line
    const text = `${JSON.stringify(whole)}\n`
    if (line.kind !== 'end') hash.update(text)
    yield text
  }
}

async function* listLines(
  tx: Tx,
  storage: ImageStorage,
  result: BackupResult,
  onProgress: (text: string) => void,
): AsyncGenerator<Line> {
  yield {
    kind: 'header',
    format: FORMAT,
    version: VERSION,
    createdAt: new Date().toISOString(),
    migrations: Object.keys(migrations),
  }
  for (const table of backupTables) {
    onProgress(table)
    yield { kind: 'table', table }
    // The database makes the JSON, so that numbers and times keep every digit.
    const query = sql<{ row: unknown }>`select to_jsonb(t) as row from ${sql.table(table)} as t`.compile(tx)
    for await (const batch of streamRows<{ row: unknown }>(tx, query)) {
      for (const { row } of batch) yield { kind: 'row', row }
      result.rows += batch.length
    }
  }
  yield* listImages(tx, storage, result, onProgress)
  yield { kind: 'end', ...result }
}

async function* listImages(
  tx: Tx,
  storage: ImageStorage,
  result: BackupResult,
  onProgress: (text: string) => void,
): AsyncGenerator<Line> {
  onProgress('pictures')
  const query = tx.selectFrom('images').select(['url', 'thumbnail_url'])
  for await (const batch of streamRows(tx, query, { batch: 100 })) {
    for (const url of batch.flatMap((image) => [image.url, image.thumbnail_url])) {
      const key = toImageKey(url)
      const found = await storage.find(key)
      if (!found) continue
      yield { kind: 'image', key, contentType: 'image/webp', base64: (await buffer(found.body)).toString('base64') }
      result.images += 1
    }
  }
}
