import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../db/client.ts'
import { migrations } from '../db/migrations/index.ts'
import { createFolderStorage } from '../storage/folder-storage.ts'
import type { ImageStorage } from '../storage/image-storage.ts'
import { backUpTo, fromFile } from '../testing/backup-files.ts'
import { emptyDatabase } from '../testing/empty-database.ts'
import { buildBooking, buildFeature, buildPod, buildTransaction, buildUser } from '../testing/factories.ts'
import { migrateTo } from '../testing/migrate-to.ts'
import { openEmptyDatabase, openTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { backupTables } from './backup-format.ts'
import { restoreBackup } from './restore-backup.ts'

let database: TestDatabase
let folder: string
let storage: ImageStorage
let other: ImageStorage
const file = () => join(folder, 'backup.jsonl.gz')

beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  await emptyDatabase(database.db)
  folder = await mkdtemp(join(tmpdir(), 'podkeeper-backup-'))
  storage = await createFolderStorage(join(folder, 'uploads'))
  other = await createFolderStorage(join(folder, 'restored'))
})
afterAll(async () => {
  await database.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the rows of every table as the database serialises them. */
async function dump(db: Db, names: readonly string[] = backupTables): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {}
  for (const table of names) {
    const { rows } = await sql<{
      row: string
    }>`select to_jsonb(t)::text as row from ${sql.table(table)} t order by 1`.execute(db)
    tables[table] = rows.map(({ row }) => row)
  }
  return tables
}

async function fill(db: Db): Promise<void> {
  const pod = await buildPod(db, { title: 'Ubuntu “quoted” 🚪 مرحبا', rate: '2.3456' })
  const feature = await buildFeature(db)
  await db.insertInto('pod_features').values({ pod_id: pod.id, feature_id: feature.id, position: 0 }).execute()
  const user = await buildUser(db, { deleted_at: new Date('2026-01-02T03:04:05.678Z') })
  const booking = await buildBooking(db, { pod_id: pod.id, user_id: user.id })
  await buildTransaction(db, { booking_id: booking.id, amount: '1234567890.12' })
  await addImage(db, 'full', 'thumb')
}

async function addImage(db: Db, name: string, thumbnail = `${name}-thumbnail`): Promise<void> {
  const image = { placeholder: 'data:,', width: 3, height: 2 }
  await db
    .insertInto('images')
    .values({ id: name, url: `/uploads/${name}.webp`, thumbnail_url: `/uploads/${thumbnail}.webp`, ...image })
    .execute()
  await storage.put(`${name}.webp`, Buffer.from([1, 2, 3]), 'image/webp')
  await storage.put(`${thumbnail}.webp`, Buffer.from([4]), 'image/webp')
}

async function readImages(): Promise<Record<string, string>> {
  const uploads = join(folder, 'uploads')
  const names = await readdir(uploads)
  return Object.fromEntries(
    await Promise.all(names.sort().map(async (name) => [name, await readFile(join(uploads, name), 'hex')])),
  )
}

describe('a backup', () => {
  it('restores every row and image exactly', async () => {
    await fill(database.db)
    const before = await dump(database.db)
    const made = await backUpTo({ db: database.db, storage }, file())
    await emptyDatabase(database.db)
    const restored = await restoreBackup({ db: database.db, storage: other }, fromFile(file()))
    expect(await dump(database.db)).toEqual(before)
    expect(restored).toEqual({ rows: made.rows, images: made.images })
    expect(restored.images).toBe(2)
    expect((await other.find('full.webp'))?.bytes).toBe(3)
  })

  it('overwrites a database that is not empty only on request', async () => {
    await fill(database.db)
    await backUpTo({ db: database.db, storage }, file())
    const before = await dump(database.db)
    await buildUser(database.db)
    await expect(restoreBackup({ db: database.db, storage: other }, fromFile(file()))).rejects.toThrow('not empty')
    await restoreBackup({ db: database.db, storage: other }, fromFile(file()), { replace: true })
    expect(await dump(database.db)).toEqual(before)
  })

  it('keeps texts with any characters, including line separators', async () => {
    await buildUser(database.db, { firstname: 'a\u2028b\u2029c\r\nd\te"\\' })
    const before = await dump(database.db)
    await backUpTo({ db: database.db, storage }, file())
    await restoreBackup({ db: database.db, storage: other }, fromFile(file()), { replace: true })
    expect(await dump(database.db)).toEqual(before)
  })

  it('removes the images of the overwritten database, and no others', async () => {
    await fill(database.db)
    await backUpTo({ db: database.db, storage }, file())
    await addImage(database.db, 'later')
    await storage.put('of-another-database.webp', Buffer.from([7]), 'image/webp')
    await restoreBackup({ db: database.db, storage }, fromFile(file()), { replace: true })
    expect((await readdir(join(folder, 'uploads'))).sort()).toEqual([
      'full.webp',
      'of-another-database.webp',
      'thumb.webp',
    ])
  })

  it('changes nothing when its restore is interrupted, and removes the images that it has stored', async () => {
    await fill(database.db)
    await backUpTo({ db: database.db, storage }, file())
    await buildUser(database.db)
    const before = await dump(database.db)
    const stopping = new AbortController()
    // From here on the first image is stored, and then the second is due.
    const onProgress = (text: string) => text === 'images' && stopping.abort()
    const options = { replace: true, onProgress, signal: stopping.signal }
    await expect(restoreBackup({ db: database.db, storage: other }, fromFile(file()), options)).rejects.toThrow(
      'aborted',
    )
    expect(await dump(database.db)).toEqual(before)
    expect(await readdir(join(folder, 'restored'))).toEqual([])
  })

  it('restores an image that was damaged since', async () => {
    await fill(database.db)
    await backUpTo({ db: database.db, storage }, file())
    await storage.put('full.webp', Buffer.from([9]), 'image/webp')
    await restoreBackup({ db: database.db, storage }, fromFile(file()), { replace: true })
    expect(await readFile(join(folder, 'uploads', 'full.webp'))).toEqual(Buffer.from([1, 2, 3]))
  })
})

type Text = { kind: string; [field: string]: unknown }
type Damage = (lines: Text[]) => unknown[]

const indexOfTable = (lines: Text[], table: string) => lines.findIndex((line) => line.table === table)
const swap = (lines: Text[], a: number, b: number) => {
  const swapped = [...lines]
  swapped.splice(a, 1, lines[b] as Text) // both are in the list
  swapped.splice(b, 1, lines[a] as Text)
  return swapped
}
const changed = (lines: Text[], kind: string, change: (line: Text) => Text) => {
  const index = lines.findIndex((line) => line.kind === kind)
  return lines.map((line, at) => (at === index ? change(line) : line))
}

/** Damage to the text, which leaves a valid gzip file. */
const damages: Record<string, Damage> = {
  'a row removed': (lines) => lines.filter((_, index) => index !== indexOfTable(lines, 'transactions') + 1),
  'a row doubled': (lines) =>
    lines.toSpliced(indexOfTable(lines, 'users') + 1, 0, lines[indexOfTable(lines, 'users') + 1] as Text),
  'a row of no key doubled, another removed': (lines) => {
    const at = indexOfTable(lines, 'users') + 1
    return lines.toSpliced(at, 1).toSpliced(at, 0, lines[at + 1] as Text)
  },
  'a value changed': (lines) =>
    changed(lines, 'row', (line) => ({ ...line, row: { ...(line.row as object), firstname: 'Someone else' } })),
  'an image changed': (lines) => changed(lines, 'image', (line) => ({ ...line, base64: 'AAAA' })),
  'an image removed': (lines) => lines.filter((line) => line.key !== 'thumb.webp'),
  'two rows in the wrong order': (lines) =>
    swap(lines, indexOfTable(lines, 'users') + 1, indexOfTable(lines, 'users') + 2),
  'a table in the wrong order': (lines) => {
    const pods = lines.slice(indexOfTable(lines, 'pods'), indexOfTable(lines, 'pod_features'))
    return [
      ...lines.filter((line) => !pods.includes(line)).slice(0, 1),
      ...pods,
      ...lines.slice(1).filter((line) => !pods.includes(line)),
    ]
  },
  'its header in the middle': (lines) => swap(lines, 0, 1),
  'two headers': (lines) => lines.toSpliced(1, 0, lines[0] as Text),
  'its end removed': (lines) => lines.slice(0, -1),
  'its end in the middle': (lines) => lines.toSpliced(3, 0, lines.at(-1) as Text),
  'something after its end': (lines) => [...lines, lines.at(-1)],
  'an unknown table': (lines) => lines.toSpliced(-1, 0, { kind: 'table', table: 'kysely_migration' }),
  'a line of no kind': (lines) => lines.toSpliced(2, 0, null as unknown as Text),
  'nothing in it': () => [],
}

/** Damage to the bytes of the file. */
const breakages: Record<string, (whole: Buffer) => Buffer> = {
  'cut off at its end': (whole) => whole.subarray(0, whole.length - 1),
  'cut off in its middle': (whole) => whole.subarray(0, whole.length >> 1),
  'cut off before it begins': () => Buffer.alloc(0),
  'a byte changed': (whole) => {
    const bytes = Buffer.from(whole)
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
    return bytes
  },
  'not gzip': (whole) => gunzipSync(whole),
  'no backup at all': () => gzipSync('{"kind":"something"}\n'),
}

describe('a damaged backup changes neither the database nor the images', () => {
  const readLines = async () =>
    gunzipSync(await readFile(file()))
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line): Text => JSON.parse(line))
  const write = (lines: unknown[]) =>
    writeFile(file(), gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))

  beforeEach(async () => {
    await fill(database.db)
    await buildUser(database.db)
    await backUpTo({ db: database.db, storage }, file())
    // Changes made after the backup.
    await buildUser(database.db, { firstname: 'Later' })
    await addImage(database.db, 'later')
    await storage.delete('thumb.webp')
  })

  const readAll = async () => ({ tables: await dump(database.db), images: await readImages() })
  /** Returns the error of a restore, and whether everything is unchanged. */
  const tryRestore = async (into: ImageStorage = storage) => {
    const before = await readAll()
    const refusal = await restoreBackup({ db: database.db, storage: into }, fromFile(file()), { replace: true }).then(
      () => 'none',
      String,
    )
    return { refusal, isUnchanged: isDeepStrictEqual(await readAll(), before) }
  }

  it.each(Object.entries(damages))('%s', async (_, damage) => {
    await write(damage(await readLines()))
    expect(await tryRestore()).toEqual({ refusal: expect.stringMatching(/is damaged|no backup/), isUnchanged: true })
  })

  it.each(Object.entries(breakages))('%s', async (_, breakage) => {
    await writeFile(file(), breakage(await readFile(file())))
    expect(await tryRestore()).toEqual({ refusal: expect.stringMatching(/is damaged|no backup/), isUnchanged: true })
  })

  it('a row moved to another table, in a file without checksums', async () => {
    const lines = await readLines()
    const old = changed(
      changed(lines, 'header', (line) => ({ ...line, version: 1 })),
      'end',
      (line) => ({ ...line, sha256: undefined }),
    )
    const at = indexOfTable(old, 'users') + 1
    await write(old.toSpliced(at, 1).toSpliced(indexOfTable(old, 'features'), 0, old[at] as Text))
    expect(await tryRestore()).toEqual({
      refusal: expect.stringMatching(/its tables do not hold as many rows/),
      isUnchanged: true,
    })
  })

  it('a row removed, in a file without checksums', async () => {
    const lines = await readLines()
    const old = changed(
      changed(lines, 'header', (line) => ({ ...line, version: 1 })),
      'end',
      (line) => ({ ...line, sha256: undefined, tables: undefined }),
    )
    await write(old.filter((_, index) => index !== indexOfTable(old, 'users') + 1))
    expect(await tryRestore()).toEqual({
      refusal: expect.stringMatching(/is damaged: it holds \d+ rows/),
      isUnchanged: true,
    })
  })

  it('rows that violate a foreign key, though their number is right', async () => {
    const lines = await readLines()
    const old = changed(
      changed(lines, 'header', (line) => ({ ...line, version: 1 })),
      'end',
      (line) => ({
        ...line,
        sha256: undefined,
        tables: undefined,
        rows: Number(line.rows) - 1,
      }),
    )
    await write(old.filter((_, index) => index !== indexOfTable(old, 'pods') + 1))
    expect(await tryRestore()).toEqual({ refusal: expect.stringMatching(/foreign key/), isUnchanged: true })
  })

  it('a file of a newer release', async () => {
    const lines = await readLines()
    await write(changed(lines, 'header', (line) => ({ ...line, version: 3 })))
    expect(await tryRestore()).toEqual({ refusal: expect.stringMatching(/newer release/), isUnchanged: true })
  })

  it('an image that cannot be stored', async () => {
    let puts = 0
    const full: ImageStorage = {
      ...storage,
      async put(key, bytes, contentType) {
        puts += 1
        if (puts === 2) throw new Error('ENOSPC: no space left on device')
        await storage.put(key, bytes, contentType)
      },
    }
    await storage.put('full.webp', Buffer.from([9]), 'image/webp')
    expect(await tryRestore(full)).toEqual({ refusal: expect.stringMatching(/ENOSPC/), isUnchanged: true })
  })
})

describe('a backup of another release', () => {
  const all = Object.keys(migrations)
  const before = (migration: string) => all.slice(0, all.indexOf(migration))

  /** Writes a backup as that release did, with its tables, format and migrations. */
  async function writeEarlierBackup(earlier = all.slice(0, 3)): Promise<Record<string, string[]>> {
    const release = await openEmptyDatabase()
    try {
      await migrateTo(release.db, earlier.at(-1) ?? '')
      await fill(release.db)
      if (earlier.includes('013-audit')) {
        await sql`insert into audit (at, action, entity, actor_kind)
                  values (now(), 'create', 'feature', 'system')`.execute(release.db)
      }
      const { rows: known } = await sql<{ name: string }>`select tablename as name from pg_tables`.execute(release.db)
      const tables = backupTables.filter((table) => known.some(({ name }) => name === table))
      const rows = await dump(release.db, tables)
      const lines = [
        {
          kind: 'header',
          format: 'podkeeper-backup',
          version: 1,
          createdAt: '2026-01-02T03:04:05.678Z',
          migrations: earlier,
        },
        ...Object.entries(rows).flatMap(([table, texts]) => toLines(table, texts)),
        { kind: 'image', key: 'full.webp', contentType: 'image/webp', base64: 'AQID' },
        { kind: 'end', rows: Object.values(rows).flat().length, images: 1 },
      ]
      await writeFile(file(), gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
      return rows
    } finally {
      await release.remove()
    }
  }

  const toLines = (table: string, rows: string[]) => [
    { kind: 'table', table },
    ...rows.map((row) => ({ kind: 'row', row: JSON.parse(row) as unknown })),
  ]

  const toValues = (rows: Record<string, string[]>) =>
    Object.entries(rows).map(([table, texts]) => ({ table, rows: texts.map((text) => JSON.parse(text) as object) }))

  const readCounts = async () =>
    (
      await sql`select list, day_of, status, kind, sum(n)::int as n from row_counts
        group by list, day_of, day, status, kind having sum(n) <> 0 order by list, day_of, day, status, kind`.execute(
        database.db,
      )
    ).rows

  it.each([
    ['had no history', before('013-audit')],
    ['had one table of the history', before('058-partitions')],
    ['came just before this one', all.slice(0, -1)],
  ])('is migrated during the restore when its release %s', { timeout: 120_000 }, async (_, earlier) => {
    const rows = await writeEarlierBackup(earlier)
    await buildUser(database.db)
    await restoreBackup({ db: database.db, storage: other }, fromFile(file()), { replace: true })
    // The columns of later releases are there in addition.
    expect(toValues(await dump(database.db, Object.keys(rows)))).toMatchObject(toValues(rows))
    expect((await other.find('full.webp'))?.bytes).toBe(3)
    // The same result as with a backup of this release, derived rows too.
    const counts = await readCounts()
    expect(counts).not.toEqual([])
    await backUpTo({ db: database.db, storage: other }, file())
    await restoreBackup({ db: database.db, storage: other }, fromFile(file()), { replace: true })
    expect(await readCounts()).toEqual(counts)
    const { rows: left } = await sql`select nspname from pg_namespace where nspname like 'podkeeper%'`.execute(
      database.db,
    )
    expect(left).toEqual([])
    await buildUser(database.db)
  })

  it('changes nothing when it is older and its rows are invalid', { timeout: 120_000 }, async () => {
    await writeEarlierBackup()
    const text = gunzipSync(await readFile(file())).toString()
    await writeFile(file(), gzipSync(text.replace('"currency":"ZAR"', '"currency":null')))
    await buildUser(database.db)
    const before = await dump(database.db)
    await expect(
      restoreBackup({ db: database.db, storage: other }, fromFile(file()), { replace: true }),
    ).rejects.toThrow('currency')
    expect(await dump(database.db)).toEqual(before)
    expect(await readdir(join(folder, 'restored'))).toEqual([])
  })

  it('is refused when it contains migrations of a newer release', async () => {
    await backUpTo({ db: database.db, storage }, file())
    const text = gunzipSync(await readFile(file())).toString()
    const end = text.lastIndexOf('{"kind":"end"')
    const newer = text.slice(0, end).replace('"001-foundation"', '"001-foundation","999-of-a-newer-release"')
    const sha256 = createHash('sha256').update(newer).digest('hex')
    await writeFile(file(), gzipSync(newer + text.slice(end).replace(/[0-9a-f]{64}/, sha256)))
    await expect(restoreBackup({ db: database.db, storage: other }, fromFile(file()))).rejects.toThrow(
      'made by a newer release',
    )
  })
})
