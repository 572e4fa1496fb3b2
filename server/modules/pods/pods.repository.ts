import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import { type Pod, type PodListQuery, PodSchema } from '#contract/pods.ts'
import { SECRET_MASK } from '#contract/secrets.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { defineList } from '#server/db/lists/define-list.ts'
import { toListOrder } from '#server/db/lists/pagination.ts'
import type { PodsTable } from '#server/db/schema.ts'
import { ofAllLocations } from '#server/db/within-locations.ts'
import type { RecordKind } from '../audit/record-kind.ts'
import { blockOf, closureOfPodAt } from '../closures/closures.repository.ts'
import { hoursOfRecord } from '../hours/hours.repository.ts'
import { addFeatures } from './pod-choices.repository.ts'
import { addImages, imagesOfPod, type PodImageInput, removeImages } from './pod-images.repository.ts'
import { filterPods, podOrders } from './pods.list.ts'

type ListQuery = z.output<typeof PodListQuery>

/** Lists pods with `toVisible` applied to each. `now` is the wall clock of the pods. */
export function listPods(db: Db, query: ListQuery, now: Date, toVisible = (pod: Pod) => pod) {
  return defineList(db, query, {
    list: 'pods',
    order: toListOrder(podOrders, query.sort, '-createdAt'),
    ids: (search) => filterPods(db.selectFrom('pods'), { ...query, now }, search).select('pods.id'),
    rows: selectPods(db, now),
    toItem: (row) => toVisible(toPod(row)),
    batchRows: 500,
  })
}

export async function findPod(db: Db | Tx, podId: string): Promise<Pod | undefined> {
  const row = await selectPods(db).where('pods.id', '=', podId).where('pods.deleted_at', 'is', null).executeTakeFirst()
  return row && toPod(row)
}

/** Includes the pod's features (ids) and images (ids and urls), both in order, and its opening hours. */
export const podRecord: RecordKind = {
  entity: 'pod',
  table: 'pods',
  label: sql`record.title`,
  secrets: ['device_password'],
  more: sql`jsonb_build_object(
    'features', (select coalesce(jsonb_agg(feature_id order by position), '[]') from pod_features where pod_id = record.id),
    'images', (select coalesce(jsonb_agg(jsonb_build_object('public_id', public_id, 'url', url) order by position), '[]')
                 from pod_images where pod_id = record.id)
  ) || ${hoursOfRecord('pod')}`,
  isDeletable: true,
  find: findPod,
}

/** Keeps others from choosing a slug until the transaction ends. Must come before any other lock of a transaction. */
export async function lockSlugs(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('pods.slug'))`.execute(tx)
}

export async function createPod(tx: Tx, pod: Insertable<PodsTable>): Promise<void> {
  await tx.insertInto('pods').values(pod).execute()
}

/** Replaces a pod's features and images with those stored in the history. What is left out stays as it is. */
export async function replacePodParts(
  tx: Tx,
  podId: string,
  { featureIds, images }: { featureIds: unknown; images: unknown },
): Promise<void> {
  if (Array.isArray(featureIds)) {
    await tx.deleteFrom('pod_features').where('pod_id', '=', podId).execute()
    if (featureIds.length > 0) await addFeatures(tx, podId, featureIds.map(String))
  }
  if (Array.isArray(images)) {
    await removeImages(tx, podId)
    if (images.length > 0) await addImages(tx, podId, images as PodImageInput[]) // as podRecord has stored them
  }
}

/** Returns the highest number in use for this slug: 0 for none, 1 for the slug itself, 2 for `slug-2`. */
export async function getLastSlugNumber(tx: Tx, slug: string): Promise<number> {
  const numbered = `^${slug}-[0-9]{1,8}$`
  const { last } = await tx
    .selectFrom('pods')
    .select(
      sql<number>`coalesce(max(case when slug = ${slug} then 1 else substring(slug from '[0-9]+$')::int end), 0)`.as(
        'last',
      ),
    )
    .where(sql<boolean>`(slug = ${slug} or slug ~ ${numbered}) ${ofAllLocations}`)
    .executeTakeFirstOrThrow()
  return last
}

export async function updatePod(tx: Tx, podId: string, changes: Updateable<PodsTable>): Promise<true> {
  await tx.updateTable('pods').set(changes).where('id', '=', podId).execute()
  return true
}

function selectPods(db: Db | Tx, now?: Date) {
  return db
    .selectFrom('pods')
    .innerJoin('locations', 'locations.id', 'pods.location_id')
    .select(ownColumns)
    .select([
      sql<Pod['location']>`json_build_object(
        '_id', locations.id, 'name', locations.name, 'Street', locations.street, 'city', locations.city,
        'state', locations.state, 'zip', locations.zip, 'country_code', locations.country_code,
        'isBlocked', locations.is_blocked
      )`.as('location'),
      sql<Pod['features']>`(
        select coalesce(json_agg(json_build_object(
          '_id', features.id, 'name', features.name, 'icon', features.icon, 'isBlocked', features.is_blocked
        ) order by pod_features.position), '[]')
        from pod_features join features on features.id = pod_features.feature_id and features.deleted_at is null
        where pod_features.pod_id = pods.id
      )`.as('features'),
      imagesOfPod.as('images'),
      (now ? closureOfPodAt(now) : blockOf('pod')).as('closure'),
    ])
    .select('pods.id')
    .$castTo<PodRow>() // the builder does not know columns that are listed at run time
}

/** The columns of fields that have another name on the wire. */
const columnOf = {
  timeSlot: 'time_slot',
  isAvailable: 'is_available',
  isBlocked: 'is_blocked',
  bufferMinutes: 'buffer_minutes',
  ratingCount: 'rating_count',
  totalRating: 'total_rating',
  UserId: 'pod_user_id',
  deviceId: 'device_id',
  productId: 'product_id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Partial<Record<keyof Pod, keyof PodsTable>>

/** Fields that are not simply read from a column. The device password is never read; responses have a mask instead. */
const madeFields = ['_id', 'location', 'features', 'images', 'password', 'closure'] as const

type Renamed = keyof typeof columnOf
type OwnField = Exclude<keyof Pod, (typeof madeFields)[number]>
type ColumnOf<F extends OwnField> = F extends Renamed ? (typeof columnOf)[F] : Exclude<F, Renamed>
type PodRow = Pick<Pod, 'location' | 'features' | 'images' | 'closure'> & { id: string } & {
  [F in OwnField]: Selectable<PodsTable>[ColumnOf<F>]
}

const columnNames: Partial<Record<string, string>> = columnOf
const toColumn = (field: string) => columnNames[field] ?? field

/** Names these fields as their columns are. */
export function toColumns<Fields extends { [F in OwnField]?: unknown }>(fields: Fields) {
  const columns = Object.entries(fields).map(([field, value]) => [toColumn(field), value])
  return Object.fromEntries(columns) as { [F in keyof Fields & OwnField as ColumnOf<F>]: Fields[F] } // as `toColumn` names them
}

const ownColumns = Object.keys(PodSchema.shape)
  .filter((field) => !madeFields.some((made) => made === field))
  .map((field) => sql.ref(`pods.${toColumn(field)}`).as(field))

function toPod({ id, ...row }: PodRow): Pod {
  return {
    ...row,
    _id: id,
    password: SECRET_MASK,
    rate: Number(row.rate),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
