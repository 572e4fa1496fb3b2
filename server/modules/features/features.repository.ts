import { type Insertable, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Feature, FeatureListQuery } from '#contract/features.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { defineList } from '#server/db/lists/define-list.ts'
import { hasStatus } from '#server/db/lists/has-status.ts'
import { byText, toListOrder } from '#server/db/lists/pagination.ts'
import { isFound, type Search } from '#server/db/lists/search.ts'
import type { Database } from '#server/db/schema.ts'
import type { RecordKind } from '../audit/record-kind.ts'

type ListQuery = z.output<typeof FeatureListQuery>

const id = sql.ref('features.id')
export const orders = {
  order: { by: sql.ref('features.position'), type: 'integer', id },
  name: { by: byText(sql.ref('features.name')), type: 'text', id },
} as const

export function listFeatures(db: Db, query: ListQuery) {
  return defineList(db, query, {
    list: 'features',
    order: toListOrder(orders, query.sort, 'order'),
    ids: (search) => filterFeatures(db.selectFrom('features'), query, search).select('features.id'),
    rows: db.selectFrom('features').select(columns),
    toItem: toFeature,
  })
}

export function filterFeatures<Row>(
  rows: SelectQueryBuilder<Database, 'features', Row>,
  { status }: ListQuery,
  search: Search | undefined,
) {
  return rows.where(hasStatus('features', status)).where(isFound('features', search))
}

export async function findFeature(db: Db | Tx, id: string): Promise<Feature | undefined> {
  const row = await db
    .selectFrom('features')
    .select(columns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && toFeature(row)
}

/** Returns the position after the last feature. */
export async function getNextPosition(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom('features')
    .select(sql<number>`coalesce(max(position) + 1, 0)`.as('next'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.next
}

/** Frees a position: if a feature is there, moves it and all features after it back by one. */
export async function freePosition(tx: Tx, position: number): Promise<void> {
  await sql`
    update features set position = position + 1
     where position >= ${position} and deleted_at is null
       and exists (select from features as there where there.position = ${position} and deleted_at is null)
  `.execute(tx)
}

/** Frees the position that a deleted feature had, so that it can be restored there. */
export async function freePositionOf(tx: Tx, id: string): Promise<void> {
  const row = await tx.selectFrom('features').select('position').where('id', '=', id).executeTakeFirstOrThrow()
  await freePosition(tx, row.position)
}

export async function createFeature(tx: Tx, feature: Insertable<Database['features']>): Promise<Feature> {
  const row = await tx.insertInto('features').values(feature).returning(columns).executeTakeFirstOrThrow()
  return toFeature(row)
}

export async function countPodsOfFeature(db: Db | Tx, featureId: string): Promise<number> {
  const row = await db
    .selectFrom('pod_features')
    .innerJoin('pods', 'pods.id', 'pod_features.pod_id')
    .select(sql<number>`count(*)`.as('pods'))
    .where('feature_id', '=', featureId)
    .where('pods.deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.pods
}

/** The key of the advisory lock on the order of features: 'Feat' in ASCII. Nothing else uses it. */
const ORDER_LOCK = 0x46_65_61_74

/**
 * Keeps others from adding, removing or moving features until the transaction ends; edits stay possible. Must come
 * first in a transaction, so that a transaction that waits for it holds no other locks.
 */
export async function lockFeatureOrder(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(ORDER_LOCK)})`.execute(tx)
}

/** Returns the ids of all features in their order. */
export async function listFeatureIds(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('features')
    .select('id')
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .execute()
  return rows.map((row) => row.id)
}

/** Numbers the features from 0 in the order of `ids`. */
export async function updateFeaturePositions(tx: Tx, ids: string[]): Promise<void> {
  await sql`
    update features set position = moved.ordinality - 1
    from unnest(${ids}::uuid[]) with ordinality as moved (id)
    where features.id = moved.id
  `.execute(tx)
}

/** The position is left out: it belongs to the order of all features, which has its own history. */
export const featureRecord: RecordKind<'features'> = {
  entity: 'feature',
  table: 'features',
  label: sql`record.name`,
  leftOut: ['position'],
  isDeletable: true,
  find: findFeature,
}

const columns = ['id', 'name', 'icon', 'is_blocked', 'position', 'version'] as const

type FeatureRow = Omit<Selectable<Database['features']>, 'created_at' | 'deleted_at'>

export function toFeature(row: FeatureRow): Feature {
  return {
    _id: row.id,
    name: row.name,
    icon: row.icon,
    isBlocked: row.is_blocked,
    order: row.position,
    version: row.version,
  }
}
