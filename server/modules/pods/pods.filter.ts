import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { PodListQuery } from '#contract/pods.ts'
import { toLikePattern } from '#server/db/ordered-list.ts'
import type { Database } from '#server/db/schema.ts'
import { isId } from '#server/ids.ts'

export type PodFilters = Pick<z.output<typeof PodListQuery>, 'search' | 'status' | 'location'>

/** The filters of the pods screen, for every query that has the table in it; deleted pods are never shown. */
export function filterPods<TB extends keyof Database, Row>(
  rows: SelectQueryBuilder<Database, TB, Row>,
  { search, status, location }: PodFilters,
): SelectQueryBuilder<Database, TB, Row> {
  return rows
    .where(sql<boolean>`pods.deleted_at is null`)
    .$if(Boolean(search), (rows) => rows.where(matches(search ?? '')))
    .$if(status !== undefined, (rows) => rows.where(sql<boolean>`pods.is_blocked = ${status === 'blocked'}`))
    .$if(location !== undefined, (rows) => rows.where(isAt(location ?? '')))
}

/** Its title, or the name or city of its location; an id as a whole. Locations are few: they are found once. */
function matches(search: string): RawBuilder<boolean> {
  if (isId(search)) return sql`pods.id = ${search}`
  const pattern = toLikePattern(search)
  return sql`(
    pods.title ilike ${pattern}
    or pods.location_id in (select id from locations where name ilike ${pattern} or city ilike ${pattern})
  )`
}

/** A malformed id filters everything out, like an unknown one. */
function isAt(location: string): RawBuilder<boolean> {
  return isId(location) ? sql`pods.location_id = ${location}` : sql`false`
}
