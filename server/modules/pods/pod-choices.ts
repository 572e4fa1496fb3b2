import type { PodBody } from '#contract/pods.ts'
import type { Tx } from '#server/db/client.ts'
import { fieldError } from '#server/http/app-error.ts'
import { createId, isId } from '#server/ids.ts'
import { listImageKeys, listImagesForUse } from '../uploads/uploads.repository.ts'
import { isOwnImagePath } from '../uploads/uploads.service.ts'
import { findLocationForPod, listFeaturesForPod } from './pod-choices.repository.ts'
import type { PodImageInput } from './pod-images.repository.ts'

/** Checks a location that is new to a pod: it must exist and not be blocked (rules §5.3). */
export async function requireNewLocation(tx: Tx, locationId: string): Promise<string> {
  const location = isId(locationId) ? await findLocationForPod(tx, locationId) : undefined
  if (!location) throw fieldError('location', 'This location does not exist. Choose another.')
  if (location.is_blocked) throw fieldError('location', 'This location is blocked. Choose another.')
  return locationId
}

/** Returns the wanted features in order, without duplicates. Blocked ones must be in `kept`, the pod's present ones. */
export async function requireFeatures(tx: Tx, wanted: string[], kept: string[] = []): Promise<string[]> {
  const ids = [...new Set(wanted)]
  const rows = await listFeaturesForPod(tx, ids.filter(isId))
  const known = new Map(rows.map((row) => [row.id, row]))
  for (const id of ids) {
    const feature = known.get(id)
    if (!feature) throw fieldError('features', 'One of these features does not exist any more. Choose again.')
    if (feature.is_blocked && !kept.includes(id)) {
      throw fieldError('features', `The feature ${feature.name} is blocked. Choose another.`)
    }
  }
  return ids
}

/**
 * Returns the images as they are to be stored. An image of this server's store gets its stored url, however the client
 * spelled it, so that it counts as used. One that is no longer stored is refused, unless the pod has it already
 * (`kept`).
 */
export async function requireImages(tx: Tx, wanted: PodBody['images'], kept: string[] = []): Promise<PodImageInput[]> {
  const keys = await listImageKeys(tx, [...wanted.flatMap(({ public_id = '', url }) => [public_id, url]), ...kept])
  const keyOf = (spelling: string) => keys.get(spelling) ?? undefined
  const images = await listImagesForUse(
    tx,
    [...keys.values()].filter((key) => key !== null),
  )
  const find = (key: string | undefined) =>
    key === undefined ? undefined : images.find((image) => image.id === key || image.key === key)
  return wanted.map(({ public_id = '', url }, index) => {
    const ofId = find(keyOf(public_id))
    const stored = find(keyOf(url)) ?? ofId
    const id = public_id === '' || ofId ? (stored?.id ?? createId()) : public_id
    if (stored) return { public_id: id, url: stored.url }
    if (isOwnImagePath(url)) {
      const same = kept.find((keptUrl) => isOwnImagePath(keptUrl) && keyOf(keptUrl) === keyOf(url))
      if (same === undefined) throw fieldError(`images.${index}`, 'This image is no longer stored. Upload it again.')
      return { public_id: id, url: same }
    }
    if (!/^(\/|https?:\/\/)/.test(url)) {
      throw fieldError(`images.${index}.url`, 'The url of an image begins with / or http(s)://')
    }
    return { public_id: id, url }
  })
}
