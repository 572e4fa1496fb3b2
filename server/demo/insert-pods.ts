import { randomBytes } from 'node:crypto'
import { DAY } from '#contract/durations.ts'
import { POD_DEFAULTS } from '#contract/pod-defaults.ts'
import type { Tx } from '../db/client.ts'
import { createId } from '../ids.ts'
import { insertClosure } from '../modules/closures/closures.repository.ts'
import { toSlug } from '../modules/pods/slug.ts'
import type { SecretBox } from '../secrets.ts'
import { type DemoFeatureKey, demoFeatures } from './demo-features.ts'
import { type DemoLocation, demoLocations } from './demo-locations.ts'
import { toPodTexts } from './demo-pod-texts.ts'
import { type DemoPod, demoPods } from './demo-pods.ts'
import type { StoredImage } from './store-pod-images.ts'

/** Inserts locations, features, pods and the rows of their images; returns the pods' ids in the order of `demoPods`. */
export async function insertPods(
  tx: Tx,
  secrets: SecretBox,
  podImages: ReadonlyMap<DemoPod, readonly StoredImage[]>,
  since: number,
): Promise<string[]> {
  const locations = await insertLocations(tx, since)
  const featureIds = await insertFeatures(tx, since)
  const rows = demoPods.map((pod, index) => toPodRow(pod, index, requireEntry(locations, pod.location), secrets, since))
  await tx.insertInto('pods').values(rows).execute()

  const podFeatures = demoPods.flatMap((pod, index) =>
    pod.features.map((key, position) => ({
      pod_id: rows[index]?.id ?? '',
      feature_id: requireEntry(featureIds, key),
      position,
    })),
  )
  await tx.insertInto('pod_features').values(podFeatures).execute()

  await tx
    .insertInto('images')
    .values(demoPods.flatMap((pod) => requireEntry(podImages, pod)))
    .execute()
  const rowsOfImages = demoPods.flatMap((pod, index) =>
    requireEntry(podImages, pod).map(({ id, url }, position) => ({
      pod_id: rows[index]?.id ?? '',
      position,
      public_id: id,
      url,
    })),
  )
  await tx.insertInto('pod_images').values(rowsOfImages).execute()
  return rows.map(({ id }) => id)
}

/** Adds a closure without an end to each blocked pod and location (rules §26.7). */
export async function closeUntilFurtherNotice(
  tx: Tx,
  podIds: readonly string[],
  staffId: string | null,
  since: { instant: Date; wallClock: Date },
): Promise<void> {
  const { instant, wallClock: starts } = since
  const locations = await tx.selectFrom('locations').select(['id', 'name']).where('is_blocked', '=', true).execute()
  const closed = [
    ...demoPods.flatMap(({ closedFor }, index) =>
      closedFor ? [{ closedFor, podIds: podIds.slice(index, index + 1) }] : [],
    ),
    ...locations.map(({ id, name }) => ({
      closedFor: demoLocations.find((location) => location.name === name)?.closedFor ?? '',
      locationId: id,
    })),
  ]
  for (const closure of closed) {
    const times = { starts, ends: null, rrule: null, created_by: staffId, created_at: instant }
    const of = { id: createId(instant.getTime()), location_id: 'locationId' in closure ? closure.locationId : null }
    const pods = 'podIds' in closure ? closure.podIds : []
    await insertClosure(tx, { ...of, ...times, reason: closure.closedFor }, pods, [{ starts, ends: null }])
  }
}

async function insertLocations(tx: Tx, since: number) {
  const rows = demoLocations.map((location) => ({ location, id: createId(since) }))
  await tx
    .insertInto('locations')
    .values(
      rows.map(({ id, location: { key: _key, closedFor, ...address } }, index) => ({
        ...address,
        id,
        country_code: 'ZA',
        is_blocked: closedFor !== undefined,
        created_at: new Date(since + index * DAY),
      })),
    )
    .execute()
  return new Map(rows.map((row) => [row.location.key, row]))
}

async function insertFeatures(tx: Tx, since: number): Promise<Map<DemoFeatureKey, string>> {
  const rows = demoFeatures.map((feature, position) => ({
    id: createId(since + position),
    name: feature.name,
    icon: feature.icon,
    is_blocked: 'isBlocked' in feature,
    position,
    created_at: new Date(since + position),
  }))
  await tx.insertInto('features').values(rows).execute()
  return new Map(demoFeatures.map(({ key }, index) => [key, rows[index]?.id ?? '']))
}

function toPodRow(
  pod: DemoPod,
  index: number,
  at: { id: string; location: DemoLocation },
  secrets: SecretBox,
  since: number,
) {
  const createdAt = since + index * 9 * DAY
  const number = String(index + 1).padStart(3, '0')
  const { latitude, longitude, key } = at.location
  return {
    id: createId(createdAt),
    title: pod.title,
    slug: toSlug(pod.title),
    description: pod.description,
    direction: `https://www.google.com/maps/search/?api=1&query=${latitude},${longitude}`,
    location_id: at.id,
    category: POD_DEFAULTS.category,
    time_slot: POD_DEFAULTS.timeSlot,
    is_blocked: pod.closedFor !== undefined,
    tags: pod.tags,
    ...toPodTexts(pod),
    pod_user_id: `door-user-${number}`,
    device_id: `door-${key}-${number}`,
    serial: `PKD-24${number}`,
    device_password: secrets.seal(randomBytes(9).toString('base64url')),
    email: `${key}@podkeeper.example`,
    rate: pod.rate,
    capacity: pod.seats,
    product_id: POD_DEFAULTS.productId,
    created_at: new Date(createdAt),
    updated_at: new Date(createdAt),
  }
}

function requireEntry<Key, Value>(entries: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = entries.get(key)
  if (value === undefined) throw new Error('The demo data names something that it does not have')
  return value
}
