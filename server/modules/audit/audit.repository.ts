import {
  type Expression,
  type InferResult,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql,
} from 'kysely'
import { type AuditEntity, auditEntityNames } from '#contract/audit-entities.ts'
import { type AuditAction, auditActions, type Change } from '#contract/audit.ts'
import { DEFAULT_PAGE_SIZE } from '#contract/page-size.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { toInstants } from '#server/db/lists/days.ts'
import { hasId } from '#server/db/lists/has-id.ts'
import {
  type ListOrder,
  type PageQuery,
  pageOf,
  readInTurn,
  toListOrder,
  toOffset,
} from '#server/db/lists/pagination.ts'
import { countUpTo, MAX_COUNTED, type Total } from '#server/db/lists/row-counts.ts'
import type { Database, Fields } from '#server/db/schema.ts'
import { isId } from '#server/ids.ts'
import { recordKinds } from './record-kinds.ts'

type ChangeFilter = {
  entity?: AuditEntity | undefined
  entityId?: string | undefined
  action?: AuditAction | undefined
  actor?: string | undefined
  from?: Date | undefined
  /** Exclusive. */
  before?: Date | undefined
}

export function toChangeFilter(
  {
    from,
    to,
    ...filter
  }: Omit<ChangeFilter, 'from' | 'before'> & { from?: string | undefined; to?: string | undefined },
  timeZone: string,
): ChangeFilter {
  return { ...filter, ...toInstants({ from, to }, timeZone) }
}

const orders = { at: { by: sql.ref('audit.at'), type: 'timestamptz', id: sql.ref('audit.id') } } as const

export function toChangeOrder(sort: 'at' | '-at' | undefined): ListOrder {
  return toListOrder(orders, sort, '-at')
}

/** Returns a list page of changes, with the names of the records they refer to, and the total, counted up to 10,000. */
export async function listChanges(
  db: Db,
  filter: ChangeFilter,
  query: PageQuery & { sort?: 'at' | '-at' | undefined },
): Promise<{ rows: Change[]; total: Total }> {
  const order = toChangeOrder(query.sort)
  const limit = query.limit ?? DEFAULT_PAGE_SIZE
  const offset = toOffset(query)
  const direction = sql.raw(order.direction)
  const ids = sql`
    select id from (${selectFirst(db, filter, order, offset + limit)}) as found
     order by at ${direction}, id ${direction} limit ${sql.lit(limit)} offset ${offset}`
  const [rows, total] = await Promise.all([
    readInTurn(offset, () => pageOf(selectChanges(db), order, ids).execute()),
    countUpTo(db, selectToCount(db, filter, order)),
  ])
  const found = await findRecords(db, rows)
  return { rows: rows.map((row) => toChange(row, found)), total }
}

/**
 * Selects at least the first `most` changes that match the filter. With a filter by kind or person, it reads each kind
 * of change (entity and action) separately in index order, so that filters with few matches do not read more either.
 */
function selectFirst(db: Db, filter: ChangeFilter, order: ListOrder, most: number): RawBuilder<unknown> {
  const first = (rows: SelectQueryBuilder<Database, 'audit', object>) =>
    rows
      .select(['audit.id', 'audit.at'])
      .orderBy(order.by, order.direction)
      .orderBy(order.id, order.direction)
      .limit(sql.lit(most))
  const { entity, action, ...others } = filter
  const isByKind = filter.entityId === undefined && (entity ?? action ?? filter.actor) !== undefined
  if (!isByKind) return sql`${first(filterChanges(db.selectFrom('audit'), filter))}`
  const ofKind = filterChanges(db.selectFrom('audit'), others)
    .where(sql<boolean>`audit.entity = kind.entity`)
    .where(sql<boolean>`audit.action = kind.action`)
  const isOfPerson = filter.actor !== undefined && action === undefined
  const kinds = isOfPerson ? selectKinds(db, { actor: filter.actor, entity }) : toKinds(entity, action)
  return sql`select found.id, found.at from ${kinds} cross join lateral (${first(ofKind)}) as found`
}

/** Selects the changes to count. With a filter by person or entity alone, an index finds them without ordering. */
function selectToCount(db: Db, filter: ChangeFilter, order: ListOrder): Expression<unknown> {
  const { actor, entity, ...others } = filter
  const isByIndex = (actor ?? entity) !== undefined && Object.values(others).every((value) => value === undefined)
  if (isByIndex) return filterChanges(db.selectFrom('audit').select('audit.id'), filter)
  return selectFirst(db, filter, order, MAX_COUNTED + 1)
}

function toKinds(entity: AuditEntity | undefined, action: AuditAction | undefined): RawBuilder<unknown> {
  const kinds = (entity ? [entity] : auditEntityNames).flatMap((entity) =>
    (action ? [action] : auditActions).map((action) => ({ entity, action })),
  )
  return sql`unnest(${kinds.map(({ entity }) => entity)}::text[], ${kinds.map(({ action }) => action)}::text[]) as kind (entity, action)`
}

/**
 * Selects the kinds of change that a person has ever made. A recursive query jumps through the index from one kind to
 * the next. That does not work with a filter by action or time, which would have to read the rows in between.
 */
function selectKinds(db: Db, filter: Pick<ChangeFilter, 'actor' | 'entity'>): RawBuilder<unknown> {
  const next = filterChanges(db.selectFrom('audit'), filter)
    .select(['audit.entity', 'audit.action'])
    .orderBy('audit.entity')
    .orderBy('audit.action')
    .limit(sql.lit(1))
  const isLater = filter.entity
    ? sql<boolean>`audit.action > kind.action`
    : sql<boolean>`(audit.entity, audit.action) > (kind.entity, kind.action)`
  return sql`(
    with recursive kind as (
      (${next})
      union all
      select next.entity, next.action from kind cross join lateral (${next.where(isLater)}) as next
    )
    select entity, action from kind) as kind`
}

export function filterChanges<Row>(
  rows: SelectQueryBuilder<Database, 'audit', Row>,
  { entity, entityId, action, actor, from, before }: ChangeFilter,
): SelectQueryBuilder<Database, 'audit', Row> {
  return rows
    .$if(entity !== undefined, (rows) => rows.where(sql<boolean>`audit.entity = ${entity}`))
    .$if(entityId !== undefined, (rows) => rows.where(hasId(sql`audit.entity_id`, entityId)))
    .$if(action !== undefined, (rows) => rows.where(sql<boolean>`audit.action = ${action}`))
    .$if(actor !== undefined, (rows) => rows.where(hasId(sql`audit.actor_id`, actor)))
    .$if(from !== undefined, (rows) => rows.where(sql<boolean>`audit.at >= ${from}`))
    .$if(before !== undefined, (rows) => rows.where(sql<boolean>`audit.at < ${before}`))
}

export async function findChange(tx: Tx, id: string): Promise<Selectable<Database['audit']> | undefined> {
  return tx.selectFrom('audit').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Whether the request that made the change `audit` also made `other`. A request ends within minutes, which keeps this
 * from reading every partition.
 */
export const isOfSameRequest = sql<boolean>`(other.request_id = audit.request_id
  and other.at between audit.at - interval '10 minutes' and audit.at + interval '10 minutes')`

/** Whether `other` is `audit` itself or another change of the same kind that the same request made. */
export const isMadeTogether = sql<boolean>`(
  other.entity = audit.entity and other.action = audit.action and other.actor_id = audit.actor_id
  and ${isOfSameRequest})`

/** Lists the change and the others of the same kind that its request made, the latest first. */
export async function listChangesOfRequest(tx: Tx, changeId: string): Promise<Selectable<Database['audit']>[]> {
  return tx
    .selectFrom('audit')
    .innerJoin('audit as other', (join) => join.on(isMadeTogether))
    .selectAll('other')
    .where('audit.id', '=', changeId)
    .orderBy('other.at', 'desc')
    .orderBy('other.id', 'desc')
    .execute()
}

/** The name of whoever made a change. Always found: staff, customers and API keys are never removed, only hidden. */
export const actorName = sql<string>`coalesce(
  (select trim(firstname || ' ' || lastname) from staff where staff.id = audit.actor_id),
  (select trim(firstname || ' ' || lastname) from users where users.id = audit.actor_id),
  (select name from api_keys where api_keys.id = audit.actor_id),
  ''
)`

/** The present name of a customer whose personal data have been erased; null for all other changes. */
const erasedName = sql<string | null>`(
  select trim(firstname || ' ' || lastname) from users
   where audit.entity = 'customer' and users.id = audit.entity_id and users.erased_at is not null)`

/** A booking's pod and date as they are now: it may have come from a location that the reader does not have. */
const bookingName = sql<string | null>`(
  select pods.title || ' on ' || booking_date::text from bookings join pods on pods.id = bookings.pod_id
   where audit.entity = 'booking' and bookings.id = audit.entity_id)`

const isBookingOfErased = sql<boolean>`audit.entity = 'booking' and exists (
  select from bookings join users on users.id = bookings.user_id
   where bookings.id = audit.entity_id and users.erased_at is not null)`

/** What was searched for in a file from before a customer was erased may be their name. */
const mayNameErased = sql<boolean>`audit.entity in ('customer', 'booking', 'transaction') and exists (
  select from audit as erasing
   where erasing.entity = 'customer' and erasing.action = 'erase' and erasing.at >= audit.at)`

/**
 * What is shown of a change. The history keeps the personal data of customers who have been erased, but shows neither
 * the values of their changes, nor the notes on their bookings, nor the reasons that were given for changing these, nor
 * what was searched for in files that may have been about them.
 */
export const shown = {
  label: sql<string>`coalesce(${erasedName}, ${bookingName}, audit.label)`,
  before: toShown('before'),
  after: toShown('after'),
  reason: sql<string | null>`case
    when audit.reason is not null and ${erasedName} is null and not (${isBookingOfErased}) then audit.reason end`,
}

function toShown(name: 'before' | 'after'): RawBuilder<Fields | null> {
  const fields = sql.ref(`audit.${name}`)
  return sql`case
    when ${erasedName} is not null then null
    when ${fields} ?| '{note,cancel_reason}' and ${isBookingOfErased} then ${fields} - '{note,cancel_reason}'::text[]
    when ${fields} #> '{filters,search}' is not null and ${mayNameErased} then jsonb_set(${fields}, '{filters,search}', '"…"')
    else ${fields} end`
}

function selectChanges(db: Db) {
  const { label, before, after, reason } = shown
  return db
    .selectFrom('audit')
    .select(['id', 'at', 'actor_kind', 'actor_id', 'address', 'request_id', 'action', 'entity', 'entity_id'])
    .select(['version', 'undoes', actorName.as('actor_name')])
    .select([label.as('label'), before.as('before'), after.as('after'), reason.as('reason')])
}

type ChangeRow = InferResult<ReturnType<typeof selectChanges>>[number]

/** Fields that hold ids of other records. */
export const references = [
  'location_id',
  'location_ids',
  'pod_id',
  'pods',
  'user_id',
  'staff_id',
  'made_by_staff_id',
  'checked_in_by',
  'company_id',
  'features',
  'order',
]

/** Lists the texts that may be ids of other records: in these fields, and in the filters of a file. */
function listReferences({ before, after }: Pick<ChangeRow, 'before' | 'after'>): string[] {
  const values = references.flatMap((name) => [before?.[name], after?.[name]].flat())
  return [...values, ...Object.values(after?.filters ?? {}).flat()].filter((value) => typeof value === 'string')
}

type FoundRecord = { id: string; name: string; is_deleted: boolean }

/** Finds, by id, the changed records and the records that their fields refer to. */
async function findRecords(db: Db, rows: ChangeRow[]): Promise<Map<string, FoundRecord>> {
  const ids = [...new Set(rows.flatMap((row) => [row.entity_id ?? '', ...listReferences(row)]))].filter(isId)
  if (ids.length === 0) return new Map()
  const tables = Object.values(recordKinds).flatMap((kind) =>
    kind?.isDeletable
      ? sql`select record.id, ${kind.label} as name, record.deleted_at is not null as is_deleted
              from ${sql.table(kind.table)} as record where record.id = any(${ids}::uuid[])`
      : [],
  )
  const found = await sql<FoundRecord>`${sql.join(tables, sql` union all `)}`.execute(db)
  return new Map(found.rows.map((record) => [record.id, record]))
}

function toChange(row: ChangeRow, found: Map<string, FoundRecord>): Change {
  const known = listReferences(row).flatMap((id) => {
    const name = found.get(id)?.name
    return name === undefined ? [] : [[id, name] as const]
  })
  return {
    _id: row.id,
    at: row.at.toISOString(),
    actor: { kind: row.actor_kind, _id: row.actor_id, name: row.actor_name },
    address: row.address,
    requestId: row.request_id,
    action: row.action,
    entity: row.entity,
    entityId: row.entity_id,
    label: row.label,
    version: row.version,
    before: row.before,
    after: row.after,
    reason: row.reason,
    isDeleted: found.get(row.entity_id ?? '')?.is_deleted ?? false,
    undoes: row.undoes,
    names: Object.fromEntries(known),
  }
}

/** Writes the fields of an earlier state back to the record's columns. */
export async function writeFields(tx: Tx, table: keyof Database, id: string, fields: Fields): Promise<void> {
  const columns = Object.keys(fields).map((name) => sql`${sql.id(name)} = earlier.${sql.id(name)}`)
  if (columns.length === 0) return
  await sql`
    update ${sql.table(table)} as record set ${sql.join(columns)}
      from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(fields)}::jsonb) as earlier
     where record.id = ${id}`.execute(tx)
}
