import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { PodListQuery } from '#contract/pods.ts'
import type { Database } from '#server/db/schema.ts'
import { isId } from '#server/ids.ts'
import { isFound, type Search } from '../search/search.ts'

export type PodFilters = Pick<z.output<typeof PodListQuery>, 'search' | 'status' | 'location' | 'minCapacity'>

/** The filters of the pods screen, for every query that has the table in it; deleted pods are never shown. */
export function filterPods<TB extends keyof Database, Row>(
  rows: SelectQueryBuilder<Database, TB, Row>,
  { status, location, minCapacity }: PodFilters,
  search: Search | undefined,
): SelectQueryBuilder<Database, TB, Row> {
  return rows
    .where(sql<boolean>`pods.deleted_at is null`)
    .where(isFound('pods', search))
    .$if(status !== undefined, (rows) => rows.where(sql<boolean>`pods.is_blocked = ${status === 'blocked'}`))
    .$if(location !== undefined, (rows) => rows.where(isAt(location ?? '')))
    .$if(minCapacity !== undefined, (rows) => rows.where(sql<boolean>`pods.capacity >= ${minCapacity}`))
}

/** A malformed id filters everything out, like an unknown one. */
function isAt(location: string): RawBuilder<boolean> {
  return isId(location) ? sql`pods.location_id = ${location}` : sql`false`
}
