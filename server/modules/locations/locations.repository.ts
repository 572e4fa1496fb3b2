import { type ExpressionBuilder, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { CurrentClosure } from '#contract/fields.ts'
import type { Location, LocationListItem, LocationListQuery } from '#contract/locations.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { defineList } from '#server/db/lists/define-list.ts'
import { hasStatus } from '#server/db/lists/has-status.ts'
import { byText, toListOrder } from '#server/db/lists/pagination.ts'
import { isFound, type Search } from '#server/db/lists/search.ts'
import type { Database, LocationsTable } from '#server/db/schema.ts'
import type { RecordKind } from '../audit/record-kind.ts'
import { blockOf } from '../closures/closures.repository.ts'
import { hoursOfRecord } from '../hours/hours.repository.ts'

type ListQuery = z.output<typeof LocationListQuery>

const id = sql.ref('locations.id')
const orders = {
  name: { by: byText(sql.ref('locations.name')), type: 'text', id },
  city: { by: byText(sql.ref('locations.city')), type: 'text', id },
  createdAt: { by: sql.ref('locations.created_at'), type: 'timestamptz', id },
} as const

/** Lists locations with `toVisible` applied to each. */
export function listLocations(db: Db, query: ListQuery, toVisible = (location: LocationListItem) => location) {
  return defineList(db, query, {
    list: 'locations',
    order: toListOrder(orders, query.sort, '-createdAt'),
    ids: (search) => filterLocations(db.selectFrom('locations'), query, search).select('locations.id'),
    rows: db
      .selectFrom('locations')
      .select(columns)
      .select([podCount, blockOf('location').as('closure')]),
    toItem: (row) => toVisible(toLocationListItem(row)),
  })
}

export async function findLocation(db: Db | Tx, id: string): Promise<Location | undefined> {
  const row = await db
    .selectFrom('locations')
    .select(columns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && toLocation(row)
}

export async function createLocation(db: Tx, location: LocationColumns & { id: string }): Promise<Location> {
  const row = await db.insertInto('locations').values(location).returning(columns).executeTakeFirstOrThrow()
  return toLocation(row)
}

export async function updateLocation(tx: Tx, id: string, changes: Updateable<LocationsTable>): Promise<Location> {
  const rows = tx.updateTable('locations').set(changes).where('id', '=', id).returning(columns)
  return toLocation(await rows.executeTakeFirstOrThrow())
}

/** Includes the location's opening hours. */
export const locationRecord: RecordKind<'locations'> = {
  entity: 'location',
  table: 'locations',
  label: sql`record.name`,
  more: hoursOfRecord('location'),
  isDeletable: true,
  find: findLocation,
}

/**
 * Keeps pods from being added to the location until the transaction ends: adding one needs a share lock on the
 * location's row, which conflicts with this lock. Returns false when there is no such location.
 */
export async function lockLocation(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('locations')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function countPodsOfLocation(db: Db | Tx, locationId: string): Promise<number> {
  const row = await db
    .selectFrom('pods')
    .select(sql<number>`count(*)`.as('pods'))
    .where('location_id', '=', locationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.pods
}

export function filterLocations<Row>(
  rows: SelectQueryBuilder<Database, 'locations', Row>,
  { status }: ListQuery,
  search: Search | undefined,
) {
  return rows.where(hasStatus('locations', status)).where(isFound('locations', search))
}

const columns = [
  'id',
  'name',
  'street',
  'city',
  'state',
  'zip',
  'country_code',
  'latitude',
  'longitude',
  'is_blocked',
  'version',
] as const

function podCount(eb: ExpressionBuilder<Database, 'locations'>) {
  return eb
    .selectFrom('pods')
    .whereRef('pods.location_id', '=', 'locations.id')
    .where('pods.deleted_at', 'is', null)
    .select(sql<number>`count(*)`.as('pods'))
    .as('pod_count')
}

type LocationColumns = Pick<
  LocationsTable,
  'name' | 'street' | 'city' | 'state' | 'zip' | 'country_code' | 'latitude' | 'longitude'
>

type LocationRow = LocationColumns & { id: string; is_blocked: boolean; version: number }

export function toLocation({ id, street, is_blocked, ...rest }: LocationRow): Location {
  return { _id: id, Street: street, isBlocked: is_blocked, ...rest }
}

type ListRow = LocationRow & { pod_count: number | null; closure: CurrentClosure | null }

function toLocationListItem({ pod_count, closure, ...row }: ListRow): LocationListItem {
  return { ...toLocation(row), closure, podCount: pod_count ?? 0 } // a count is never null; the builder cannot know
}
