import { type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Feature, FeatureListQuery } from '#contract/features.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { byText, toBatches, toLikePattern, toListOrder, toPage } from '#server/db/ordered-list.ts'
import type { Database } from '#server/db/schema.ts'

type ListQuery = z.output<typeof FeatureListQuery>

const id = sql.ref('features.id')
const orders = {
  order: { by: sql.ref('features.position'), type: 'integer', id },
  name: { by: byText(sql.ref('features.name')), type: 'text', id },
} as const

export async function listFeatures(db: Db, query: ListQuery): Promise<{ rows: Feature[]; total: number }> {
  const [rows, count] = await Promise.all([
    toPage(selectFeatures(db, query), toListOrder(orders, query.sort, 'order'), query).execute(),
    filterFeatures(db.selectFrom('features'), query)
      .select(sql<number>`count(*)`.as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows: rows.map(toFeature), total: count.total }
}

/** The whole list, a batch at a time. */
export async function* listFeatureBatches(db: Db, query: ListQuery): AsyncGenerator<Feature[]> {
  for await (const rows of toBatches(selectFeatures(db, query), toListOrder(orders, query.sort, 'order'))) {
    yield rows.map(toFeature)
  }
}

function selectFeatures(db: Db | Tx, query: ListQuery) {
  return filterFeatures(db.selectFrom('features'), query).select(columns)
}

function filterFeatures<Row>(rows: SelectQueryBuilder<Database, 'features', Row>, { search, status }: ListQuery) {
  return rows
    .$if(Boolean(search), (rows) => rows.where('name', 'ilike', toLikePattern(search ?? '')))
    .$if(status !== undefined, (rows) => rows.where('is_blocked', '=', status === 'blocked'))
}

const columns = ['id', 'name', 'icon', 'is_blocked', 'position'] as const

type FeatureRow = { id: string; name: string; icon: string; is_blocked: boolean; position: number }

function toFeature(row: FeatureRow): Feature {
  return { _id: row.id, name: row.name, icon: row.icon, isBlocked: row.is_blocked, order: row.position }
}
