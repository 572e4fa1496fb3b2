import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { PodListQuery } from '#contract/pods.ts'
import type { Db } from '#server/db/client.ts'
import type { Database } from '#server/db/schema.ts'
import { isId } from '#server/ids.ts'
import { chooseTermsOf, type SearchTerms } from '../search/search-terms.ts'

export type PodFilters = Pick<z.output<typeof PodListQuery>, 'search' | 'status' | 'location'>

/**
 * The filters of the pods screen, for every query that has the table in it; deleted pods are never shown. `terms` are
 * those of choosePodTerms.
 */
export function filterPods<TB extends keyof Database, Row>(
  rows: SelectQueryBuilder<Database, TB, Row>,
  { status, location }: PodFilters,
  terms: SearchTerms | undefined,
): SelectQueryBuilder<Database, TB, Row> {
  return rows
    .where(sql<boolean>`pods.deleted_at is null`)
    .where(isFoundBy(terms))
    .$if(status !== undefined, (rows) => rows.where(sql<boolean>`pods.is_blocked = ${status === 'blocked'}`))
    .$if(location !== undefined, (rows) => rows.where(isAt(location ?? '')))
}

export function choosePodTerms(db: Db, { search }: PodFilters): Promise<SearchTerms | undefined> {
  return chooseTermsOf(db, search, (terms) =>
    db.selectFrom('pods').where('pods.deleted_at', 'is', null).where(isFoundBy(terms)),
  )
}

/** Its title, or the name and city of its location, or its id. Locations are few: they are found once. */
function isFoundBy(terms: SearchTerms | undefined): RawBuilder<boolean> {
  if (!terms) return sql`true`
  return sql`(
    ${terms.isIn(sql`pods.title`)}
    or pods.location_id in (select id from locations where ${terms.isIn(sql`concat_ws(E'\\n', name, city)`)})
    or ${terms.isId(sql`pods.id`)}
  )`
}

/** A malformed id filters everything out, like an unknown one. */
function isAt(location: string): RawBuilder<boolean> {
  return isId(location) ? sql`pods.location_id = ${location}` : sql`false`
}
