import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '#server/db/client.ts'
import type { ImagesTable } from '#server/db/schema.ts'

export async function createImage(db: Db | Tx, image: Insertable<ImagesTable>): Promise<void> {
  await db.insertInto('images').values(image).execute()
}

export async function deleteImages(db: Db | Tx, ids: string[]): Promise<void> {
  await db.deleteFrom('images').where('id', 'in', ids).execute()
}

/** Returns the key of each spelling of an image's url or id; null when it has none. */
export async function listImageKeys(tx: Tx, spellings: string[]): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ spelling: string; key: string | null }>`
    select spelling, image_key(spelling) as key from unnest(${spellings}::text[]) as spelling`.execute(tx)
  return new Map(rows.map(({ spelling, key }) => [spelling, key]))
}

/** Returns and locks stored images by id or key, so that the clean-up cannot discard one that a pod is about to use. */
export async function listImagesForUse(tx: Tx, keys: string[]) {
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
 * Marks at most `limit` images as discarded that were stored before `olderThan`, and that no pod has or has lost since.
 * Uses two statements on purpose: the first skips locked rows, the second sees what pods have taken since.
 */
export async function discardUnusedImages(tx: Tx, olderThan: Date, now: Date, limit: number): Promise<void> {
  const candidates = await tx
    .selectFrom('images')
    .select('id')
    .where('created_at', '<', olderThan)
    .where('discarded_at', 'is', null)
    .where(isUnused)
    .where(sql<boolean>`not ${isLostSince(olderThan)}`)
    .limit(sql.lit(limit))
    .forUpdate()
    .skipLocked()
    .execute()
  if (candidates.length === 0) return
  const ids = candidates.map(({ id }) => id)
  await tx.updateTable('images').set({ discarded_at: now }).where('id', 'in', ids).where(isUnused).execute()
}

/** Matches images whose key and id no pod has, in any spelling (function and index: migration 009). */
const isUnused = sql<boolean>`not exists (
  select from pod_images
   where array[image_key(pod_images.url), image_key(public_id)] && array[images.id, image_key(images.url)]
)`

/** Matches images that an edit has taken off a pod since then: it can be undone (rules §22.5). */
const isLostSince = (since: Date) => sql<boolean>`exists (
  select from audit cross join jsonb_array_elements(before -> 'images') as image
   where entity = 'pod' and action = 'edit' and at >= ${since}
     and array[image_key(image ->> 'url'), image_key(image ->> 'public_id')] && array[images.id, image_key(images.url)]
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
