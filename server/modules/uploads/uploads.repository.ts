import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '#server/db/client.ts'
import type { ImagesTable } from '#server/db/schema.ts'

export async function createImage(db: Db | Tx, image: Insertable<ImagesTable>): Promise<void> {
  await db.insertInto('images').values(image).execute()
}

export async function deleteImages(db: Db | Tx, ids: string[]): Promise<void> {
  await db.deleteFrom('images').where('id', 'in', ids).execute()
}

/** The key in each of these spellings of a picture; null where none can be. */
export async function listImageKeys(tx: Tx, spellings: string[]): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ spelling: string; key: string | null }>`
    select spelling, image_key(spelling) as key from unnest(${spellings}::text[]) as spelling`.execute(tx)
  return new Map(rows.map(({ spelling, key }) => [spelling, key]))
}

/**
 * Stored pictures by id or key, held until the transaction ends: the sweep cannot give up one that a pod is just taking.
 */
export async function findImagesForUse(tx: Tx, keys: string[]) {
  return tx
    .selectFrom('images')
    .select(['id', 'url', sql<string | null>`image_key(url)`.as('key')])
    .where(sql<boolean>`(id = any(${keys}::text[]) or image_key(url) = any(${keys}::text[]))`)
    .where('discarded_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
}

/**
 * Gives up at most `limit` pictures that were stored before `olderThan` and that no pod carries; answers how many. Two
 * statements on purpose: the second sees what a pod took while the first waited for nothing (rows held are skipped).
 */
export async function discardUnusedImages(tx: Tx, olderThan: Date, now: Date, limit: number): Promise<number> {
  const candidates = await tx
    .selectFrom('images')
    .select('id')
    .where('created_at', '<', olderThan)
    .where('discarded_at', 'is', null)
    .where(isUnused)
    .limit(sql.lit(limit))
    .forUpdate()
    .skipLocked()
    .execute()
  if (candidates.length === 0) return 0
  const ids = candidates.map(({ id }) => id)
  const discarded = await tx
    .updateTable('images')
    .set({ discarded_at: now })
    .where('id', 'in', ids)
    .where(isUnused)
    .executeTakeFirst()
  return Number(discarded.numUpdatedRows)
}

/** Neither its key nor its id stands in any pod, in whatever spelling (the function and its index: migration 009). */
const isUnused = sql<boolean>`not exists (
  select from pod_images
   where array[image_key(pod_images.url), image_key(public_id)] && array[images.id, image_key(images.url)]
)`

export async function listDiscardedImages(db: Db | Tx, limit: number) {
  return db
    .selectFrom('images')
    .select(['id', 'url', 'thumbnail_url'])
    .where('discarded_at', 'is not', null)
    .where(isUnused)
    .orderBy('discarded_at')
    .limit(sql.lit(limit))
    .execute()
}
