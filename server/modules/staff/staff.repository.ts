import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import { toFullName } from '#contract/full-name.ts'
import { PAGE, type PageAccess } from '#contract/pages.ts'
import type { Staff, StaffListQuery } from '#contract/staff.ts'
import type { Actor } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { defineList } from '#server/db/lists/define-list.ts'
import { hasId } from '#server/db/lists/has-id.ts'
import { hasStatus } from '#server/db/lists/has-status.ts'
import { byText, toListOrder } from '#server/db/lists/pagination.ts'
import { isFound, type Search } from '#server/db/lists/search.ts'
import type { Database, StaffTable } from '#server/db/schema.ts'
import { recordEvent } from '../audit/record-event.ts'
import type { RecordKind } from '../audit/record-kind.ts'
import { type PersonRow, personColumns, toSignedInStaff } from '../auth/person.ts'
import { hasSecondFactor } from '../second-factors/second-factors.repository.ts'

type ListQuery = z.output<typeof StaffListQuery>

const id = sql.ref('staff.id')
export const orders = {
  createdAt: { by: sql.ref('staff.created_at'), type: 'timestamptz', id },
  name: { by: byText(sql`(staff.firstname || ' ' || staff.lastname)`), type: 'text', id },
  email: { by: sql.ref('staff.email'), type: 'text', id },
} as const

export function listStaff(db: Db, query: ListQuery) {
  return defineList(db, query, {
    list: 'staff',
    order: toListOrder(orders, query.sort, '-createdAt'),
    ids: (search) => selectListed(db, query, search).select('staff.id'),
    rows: db.selectFrom('staff').select(columns),
    toItem: toStaff,
  })
}

export function selectListed(db: Db, query: ListQuery, search: Search | undefined) {
  return filterStaff(db.selectFrom('staff'), query, search).where(hasStatus('staff', query.status))
}

export async function findStaff(db: Db | Tx, id: string): Promise<Staff | undefined> {
  const row = await db
    .selectFrom('staff')
    .select(columns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && toStaff(row)
}

/** Returns the access that a deleted staff member has again once restored. */
export async function findAccessOfDeleted(tx: Tx, id: string): Promise<PageAccess> {
  const row = await tx.selectFrom('staff').select(['pages', 'view_only_pages']).where('id', '=', id).executeTakeFirst()
  return { auth_page: row?.pages ?? [], viewOnlyPages: row?.view_only_pages }
}

export const staffRecord: RecordKind = {
  entity: 'staff',
  table: 'staff',
  label: sql`trim(record.firstname || ' ' || record.lastname)`,
  secrets: ['password_hash'],
  leftOut: ['must_replace_password'],
  isDeletable: true,
  find: findStaff,
}

/** Records something about a staff member that changed none of their fields, such as signing in. */
export async function recordStaffEvent(
  tx: Tx,
  actor: Actor,
  staff: Pick<Staff, '_id' | 'firstname' | 'lastname'>,
  event: Omit<Parameters<typeof recordEvent>[2], 'entity' | 'id' | 'label'>,
): Promise<void> {
  await recordEvent(tx, actor, { ...event, entity: 'staff', id: staff._id, label: toFullName(staff) })
}

export async function createStaff(tx: Tx, staff: NewStaff): Promise<Staff> {
  const row = await tx.insertInto('staff').values(staff).returning(columns).executeTakeFirstOrThrow()
  return toStaff(row)
}

export async function areLocations(tx: Tx, ids: readonly string[]): Promise<boolean> {
  const rows = tx
    .selectFrom('locations')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
  return (await rows.where('deleted_at', 'is', null).execute()).length === ids.length
}

/** The staff member must exist; `staff.service.ts` has checked it under its lock. */
export async function updateStaff(tx: Tx, id: string, changes: Updateable<StaffTable>): Promise<Staff> {
  const row = await tx
    .updateTable('staff')
    .set(changes)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toStaff(row)
}

/** The key of the advisory lock on changes of staff: 'Staf' in ASCII. Nothing else uses it. */
const STAFF_LOCK = 0x53_74_61_66

/**
 * Keeps others from changing staff until the transaction ends, so that what a guard has read stays true. Must come
 * first in a transaction, so that a transaction that waits for it holds no other locks.
 */
export async function lockStaff(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(STAFF_LOCK)})`.execute(tx)
}

/** Returns whether anyone else can manage staff. */
export async function hasOtherManager(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('staff')
    .select('id')
    .where(sql<boolean>`${sql.lit(PAGE.staff)} = any(pages) and not ${sql.lit(PAGE.staff)} = any(view_only_pages)`)
    .where('location_ids', 'is', null)
    .where('is_blocked', '=', false)
    .where('deleted_at', 'is', null)
    .where('id', '!=', id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Applies the filters of the staff screen to a query on `staff`. */
export function filterStaff<TB extends keyof Database, Row>(
  rows: SelectQueryBuilder<Database, TB, Row>,
  { status, access, level, location, secondFactor }: ListQuery,
  search: Search | undefined,
): SelectQueryBuilder<Database, TB, Row> {
  return rows
    .where(isFound('staff', search))
    .$if(status !== undefined, (rows) => rows.where(hasStatus('staff', status)))
    .$if(access !== undefined || level !== undefined, (rows) => rows.where(hasAccess(access, level)))
    .$if(location !== undefined, (rows) => rows.where(hasLocation(location)))
    .$if(secondFactor === 'yes', (rows) => rows.where(hasSecondFactor('staff.id')))
    .$if(secondFactor === 'no', (rows) => rows.where((row) => row.not(hasSecondFactor('staff.id'))))
}

/** Matches staff who have the location; nobody has one that does not exist. */
const hasLocation = (id: string | undefined) =>
  sql<boolean>`exists (select from locations where ${hasId(sql`locations.id`, id)}
    and (staff.location_ids is null or locations.id = any(staff.location_ids)))`

const accessOfLevel = {
  view: sql`staff.view_only_pages`,
  edit: sql`array(select unnest(staff.pages) except select unnest(staff.view_only_pages))`,
}

/** Matches staff who hold the page, at the level if given, or any page at the level. */
function hasAccess(page: string | undefined, level: 'view' | 'edit' | undefined) {
  const held = level ? accessOfLevel[level] : sql`staff.pages`
  return page === undefined ? sql<boolean>`cardinality(${held}) > 0` : sql<boolean>`${Number(page)} = any(${held})`
}

const columns = [
  ...personColumns,
  'staff.is_blocked',
  'staff.version',
  hasSecondFactor('staff.id').as('has_second_factor'),
] as const

export type NewStaff = Insertable<StaffTable>

/** Omits the field when there are no view-only pages, as older clients expect. */
export function toViewOnlyPages({ view_only_pages }: Pick<PersonRow, 'view_only_pages'>): { viewOnlyPages?: string[] } {
  return view_only_pages.length === 0 ? {} : { viewOnlyPages: view_only_pages.map(String) }
}

/** Omits the field for staff with all locations, as older clients expect. */
export function toLocations({ location_ids }: Pick<PersonRow, 'location_ids'>): { locations?: string[] } {
  return location_ids ? { locations: location_ids } : {}
}

type StaffRow = PersonRow & Pick<Selectable<StaffTable>, 'is_blocked' | 'version'> & { has_second_factor: boolean }

function toStaff(row: StaffRow): Staff {
  return {
    ...toSignedInStaff(row),
    mobile: row.phone_number,
    auth_page: row.pages.map(String),
    ...toViewOnlyPages(row),
    ...toLocations(row),
    ...(row.has_second_factor && { hasSecondFactor: true }),
    isBlocked: row.is_blocked,
    version: row.version,
  }
}
