import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { PassThrough, Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { DAY } from '#contract/durations.ts'
import { syncFolder } from '#server/backup/backup-place.ts'
import type { Actor } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { toBatches } from '#server/db/lists/pagination.ts'
import { dropPartitions, listPartitions } from '#server/db/partitions.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, fieldError } from '#server/http/app-error.ts'
import { readLines } from '#server/read-lines.ts'
import { makeNamedFolder, toWriteError } from '#server/storage/writable-folder.ts'
import { toChangeOrder } from './audit.repository.ts'
import { recordEvent } from './record-event.ts'

const BATCH_ROWS = 2_000
const SAY_EVERY_ROWS = 100_000
const MAX_ARCHIVE_BYTES = 2 * 1024 ** 3

/**
 * Moves the changes before an instant, which must be at least a day ago, to a gzipped file with one line per change,
 * and returns their number. The file is complete and its hash is in the history before the first row is removed. Only
 * files whose hash is in the history can be imported, so that nobody can make up a history.
 */
export async function archiveChanges(
  db: Db,
  actor: Actor,
  { before, file }: { before: Date; file: string },
  onProgress: (text: string) => void = () => undefined,
): Promise<number> {
  if (before.getTime() > actor.now().getTime() - DAY) throw new Error('Only what is older than a day can be archived.')
  const wholeUntil = (await listPartitions(db, 'audit')).findLast(
    ({ until }) => until !== null && until <= before,
  )?.until
  const { inWhole, ...written } = await writeArchive(db, { before, wholeUntil, file })
  if (written.rows === 0) {
    await rm(file)
    return 0
  }
  onProgress(`${written.rows.toLocaleString('en')} changes written`)
  const earlier = await listEarlier(db, before)
  await recordEvent(db, actor, {
    action: 'archive',
    entity: 'activity',
    after: { file: basename(file), before: before.toISOString(), ...written, ...(earlier && { earlier }) },
  })
  let removed = 0
  // Partitions whose rows have all been written are dropped whole.
  if (wholeUntil && (await dropPartitions(db, 'audit', wholeUntil, inWhole)) > 0) {
    removed = inWhole
    onProgress(`${removed.toLocaleString('en')} removed`)
  }
  while (removed < written.rows) {
    // In batches: nobody can write a change while the append-only trigger is disabled.
    const count = await inTransaction(db, (tx) => withRemovalAllowed(tx, () => removeBatch(tx, before)))
    if (count === 0) break
    removed += count
    if (removed % SAY_EVERY_ROWS < count) onProgress(`${removed.toLocaleString('en')} removed`)
  }
  return written.rows
}

/** Returns the names of earlier archives by hash, if their rows are being archived too: they can be imported still. */
async function listEarlier(db: Db, before: Date): Promise<Record<string, unknown> | undefined> {
  const rows = await db
    .selectFrom('audit')
    .select('after')
    .where('action', '=', 'archive')
    .where('entity', '=', 'activity')
    .where('at', '<', before)
    .orderBy('at')
    .execute()
  const earlier: Record<string, unknown> = {}
  for (const { after } of rows) Object.assign(earlier, after?.earlier, { [String(after?.sha256)]: after?.file })
  return rows.length === 0 ? undefined : earlier
}

/** Runs `work` with the append-only trigger disabled, so that it can delete history. Only the table's owner may. */
export async function withRemovalAllowed<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await sql`alter table audit disable trigger audit_append_only`.execute(tx)
  const result = await work()
  await sql`alter table audit enable trigger audit_append_only`.execute(tx)
  return result
}

async function removeBatch(tx: Tx, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from audit where at < ${before} and id = any(array(
      select id from audit where at < ${before} order by at, id limit ${sql.lit(BATCH_ROWS)}
    ))`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Returns the name of an archive while it is written. */
export const toPartial = (file: string) => `${file}.partial`

type Range = { before: Date; wholeUntil: Date | null | undefined; file: string }

/** Returns the number of rows written, and how many of them (`inWhole`) are from before `wholeUntil`. */
async function writeArchive(
  db: Db,
  { before, wholeUntil, file }: Range,
): Promise<{ rows: number; inWhole: number; sha256: string }> {
  await makeNamedFolder(dirname(file))
  const partial = toPartial(file)
  const hash = createHash('sha256')
  let rows = 0
  let inWhole = 0
  async function* toLines() {
    const query = db.selectFrom('audit').selectAll().where('at', '<', before)
    for await (const batch of toBatches(query, toChangeOrder('at'), { batchRows: BATCH_ROWS })) {
      rows += batch.length
      if (wholeUntil) inWhole += batch.filter(({ at }) => at < wholeUntil).length
      yield batch.map((row) => `${JSON.stringify({ ...row, list_key: undefined })}\n`).join('')
    }
  }
  try {
    await pipeline(
      Readable.from(toLines()),
      createGzip(),
      hashInto(hash),
      createWriteStream(partial, { mode: 0o600, flush: true, flags: 'wx' }),
    )
    await rename(partial, file)
    await syncFolder(dirname(file))
  } catch (error) {
    await rm(partial, { force: true })
    throw toWriteError(dirname(file), error)
  }
  return { rows, inWhole, sha256: hash.digest('hex') }
}

function hashInto(hash: ReturnType<typeof createHash>): Transform {
  const stream = new PassThrough()
  stream.on('data', (bytes: Buffer) => hash.update(bytes))
  return stream
}

/** Saves the part `file` of an upload in the temporary folder, then calls `admitAgain`, and returns its path. */
export async function receiveArchive(request: FastifyRequest, admitAgain: () => Promise<void>): Promise<string> {
  const brokenOff = fieldError('file', 'The upload broke off or is not well-formed. Try again.')
  const part = request.isMultipart()
    ? await request.file({ limits: { fileSize: MAX_ARCHIVE_BYTES, files: 1 } }).catch(() => Promise.reject(brokenOff))
    : undefined
  if (part?.fieldname !== 'file') throw fieldError('file', 'Choose the file of an archive')
  const path = join(tmpdir(), `podkeeper-archive-${randomUUID()}`)
  try {
    await pipeline(part.file, createWriteStream(path, { mode: 0o600 }))
    if (part.file.truncated) throw fieldError('file', 'This file is too large to be an archive')
    await admitAgain()
    return path
  } catch (error) {
    await rm(path, { force: true })
    throw error instanceof AppError || part.file.errored === null ? error : brokenOff
  }
}

/** Imports an archive, deletes the file, and returns the number of new changes. Existing changes stay as they are. */
export async function importArchive(db: Db, actor: Actor, path: string): Promise<number> {
  try {
    const hash = createHash('sha256')
    for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer) // no encoding: yields buffers
    const sha256 = hash.digest('hex')
    const archive = await db
      .selectFrom('audit')
      .select(sql<string>`coalesce(after -> 'earlier' ->> ${sha256}, after ->> 'file')`.as('file'))
      .where('action', '=', 'archive')
      .where('entity', '=', 'activity')
      .where(sql<boolean>`(after ->> 'sha256' = ${sha256} or after -> 'earlier' ->> ${sha256} is not null)`)
      .executeTakeFirst()
    if (!archive) throw fieldError('file', 'This is not an archive of this system, or it has been changed since.')
    const rows = await insertLines(db, path)
    await recordEvent(db, actor, { action: 'import', entity: 'activity', after: { file: archive.file, rows } })
    return rows
  } finally {
    await rm(path, { force: true })
  }
}

async function insertLines(db: Db, path: string): Promise<number> {
  let inserted = 0
  let lines: string[] = []
  const flush = async () => {
    if (lines.length === 0) return
    const { numAffectedRows } = await inTransaction(db, async (tx) => {
      // Keeps webhooks quiet: they were told of these changes when they happened.
      await sql`select set_config('podkeeper.importing', 'on', true)`.execute(tx)
      return sql`
        insert into audit select * from jsonb_populate_recordset(null::audit, ${`[${lines.join(',')}]`}::jsonb)
        on conflict do nothing`.execute(tx)
    })
    inserted += Number(numAffectedRows ?? 0)
    lines = []
  }
  for await (const line of readLines(createReadStream(path).pipe(createGunzip()))) {
    lines.push(line)
    if (lines.length >= BATCH_ROWS) await flush()
  }
  await flush()
  return inserted
}
