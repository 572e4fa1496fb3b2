import { type Insertable, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Feature, FeatureListQuery } from '#contract/features.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { hasStatus } from '#server/db/lists/has-status.ts'
import { byText, toBatches, toListOrder } from '#server/db/lists/pagination.ts'
import { chooseSearch, type Page, readPage } from '#server/db/lists/read-page.ts'
import { isFound, type Search } from '#server/db/lists/search.ts'
import type { Database } from '#server/db/schema.ts'
import type { RecordKind } from '../audit/record-change.ts'

type ListQuery = z.output<typeof FeatureListQuery>

const id = sql.ref('features.id')
export const orders = {
  order: { by: sql.ref('features.position'), type: 'integer', id },
  name: { by: byText(sql.ref('features.name')), type: 'text', id },
} as const

export async function listFeatures(db: Db, query: ListQuery): Promise<Page<Feature>> {
  const page = await readPage(db, query, {
    list: 'features',
    order: toListOrder(orders, query.sort, 'order'),
    ids: (search) => filterFeatures(db.selectFrom('features'), query, search).select('features.id'),
    rows: db.selectFrom('features').select(columns),
  })
  return { ...page, rows: page.rows.map(toFeature) }
}

/** The whole list, a batch at a time. */
export async function* listFeatureBatches(db: Db, query: ListQuery): AsyncGenerator<Feature[]> {
  const search = await chooseSearch(db, 'features', query.search)
  const rows = filterFeatures(db.selectFrom('features'), query, search).select(columns)
  for await (const batch of toBatches(rows, toListOrder(orders, query.sort, 'order'))) yield batch.map(toFeature)
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

/** After the last. */
export async function getNextPosition(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom('features')
    .select(sql<number>`coalesce(max(position) + 1, 0)`.as('next'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.next
}

/** Where somebody stands there already, they and all behind them move on by one. */
export async function freePosition(tx: Tx, position: number): Promise<void> {
  await sql`
    update features set position = position + 1
     where position >= ${position} and deleted_at is null
       and exists (select from features as there where there.position = ${position} and deleted_at is null)
  `.execute(tx)
}

/** Makes room for a deleted feature at the place that it had. */
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

/** The key of the lock on the features' order: 'Feat' in ASCII, taken by nothing else. */
const ORDER_LOCK = 0x46_65_61_74

/**
 * Until the transaction's end nobody else adds, removes or moves a feature; edits go on. First thing in a transaction,
 * so that whoever waits for it holds nothing yet.
 */
export async function lockFeatureOrder(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(ORDER_LOCK)})`.execute(tx)
}

/** In their order. */
export async function listFeatureIds(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('features')
    .select('id')
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .execute()
  return rows.map((row) => row.id)
}

/** Numbers the features from 0 as they stand in `ids`. */
export async function updateFeaturePositions(tx: Tx, ids: string[]): Promise<void> {
  await sql`
    update features set position = moved.ordinality - 1
    from unnest(${ids}::uuid[]) with ordinality as moved (id)
    where features.id = moved.id
  `.execute(tx)
}

/** Its place belongs to the order of all, which has a history of its own. */
export const featureRecord: RecordKind<'features'> = {
  entity: 'feature',
  table: 'features',
  label: sql`record.name`,
  left: ['position'],
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
