import { type RawBuilder, sql } from 'kysely'
import type { PodImage } from '#contract/pods.ts'
import type { Tx } from '#server/db/client.ts'

export type PodImageInput = { public_id: string; url: string }

/** A pod's images in order, for queries on `pods`. Images of this server's store have a thumbnail. */
export const imagesOfPod = toImages(sql``)

/** Only the pod's first image, which cards show. */
export const firstImageOfPod = toImages(sql`and pod_images.position = 0`)

function toImages(only: RawBuilder<unknown>): RawBuilder<PodImage[]> {
  return sql`(
    select coalesce(json_agg(json_strip_nulls(json_build_object(
      'public_id', pod_images.public_id, 'url', pod_images.url, 'thumbnail', images.thumbnail_url,
      'placeholder', images.placeholder, 'width', images.width, 'height', images.height
    )) order by pod_images.position), '[]')
    from pod_images left join images on images.url = pod_images.url
    where pod_images.pod_id = pods.id ${only}
  )`
}

export async function listImageUrls(tx: Tx, podId: string): Promise<string[]> {
  const rows = await tx.selectFrom('pod_images').select('url').where('pod_id', '=', podId).execute()
  return rows.map(({ url }) => url)
}

export async function removeImages(tx: Tx, podId: string): Promise<void> {
  await tx.deleteFrom('pod_images').where('pod_id', '=', podId).execute()
}

export async function addImages(tx: Tx, podId: string, images: PodImageInput[]): Promise<void> {
  await tx
    .insertInto('pod_images')
    .values(images.map((image, position) => ({ pod_id: podId, position, ...image })))
    .execute()
}
