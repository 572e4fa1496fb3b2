import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { AuditEntity } from '#contract/audit-entities.ts'
import { findUndoEntity } from '#contract/audit-rules.ts'
import type { AuditAction } from '#contract/audit.ts'
import { SECRET_MASK } from '#contract/secrets.ts'
import type { Actor } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { Database, Fields } from '#server/db/schema.ts'
import { retryLostRace } from '#server/db/transaction.ts'
import { AppError } from '#server/http/app-error.ts'
import { createId, isId } from '#server/ids.ts'

/**
 * Writes the history. Every change of a record passes through here: it stores, in the change's own transaction, who
 * made it and what it changed, and it rejects changes made from an outdated version (docs/decisions/020).
 */

/** Returns the actor for changes by the server itself: its jobs and commands. */
export function systemActor(now: () => Date): Actor {
  return { kind: 'system', id: null, address: null, requestId: null, now, expects: 'any', changes: [] }
}

/** Where the records of a kind are stored, and what the history shows of them. */
export type RecordKind<Table extends keyof Database = keyof Database> = {
  entity: AuditEntity
  table: Table
  /** The record's display name, an expression over the row `record`. */
  label: RawBuilder<string>
  /** Columns whose values the history masks: it only says that they changed. */
  secrets?: readonly string[]
  /** Columns left out of this kind's history. */
  leftOut?: readonly string[]
  /** Fields of the record that other tables hold, as a jsonb object. */
  more?: RawBuilder<unknown>
  isDeletable: boolean
  /** Returns the record as the API shows it; undefined when there is none. */
  find: (db: Db | Tx, id: string) => Promise<unknown>
}

export type ChangeDetails = {
  id: string
  action: AuditAction
  reason?: string | undefined
  /** The id of the audit row that this change undoes. */
  undoes?: string | undefined
  /** Looks for the record among the deleted ones instead. */
  isDeleted?: boolean
}

type Snapshot = { label: string; version: number; fields: Fields }
/** The versions before and after, and the old values of the changed fields; null when none has changed. */
type Edited = { seenVersion: number; version: number; changedFields: Fields | null }

const notFields = ['id', 'version', 'created_at', 'updated_at']

/**
 * Locks the record, runs `write`, and stores what has changed. Returns the result of `write`; when there is no such
 * record, returns undefined without running it. Throws a 409 with the current values when the version is outdated.
 */
export async function recordChange<T>(
  tx: Tx,
  actor: Actor,
  kind: RecordKind,
  change: ChangeDetails,
  write: (before: Fields) => Promise<T>,
): Promise<T | undefined> {
  const { id, ...details } = change
  let result: T | undefined
  await recordChanges(tx, actor, kind, { ...details, ids: [id] }, async (before) => {
    const fields = before.get(id)
    if (fields) result = await write(fields)
  })
  return result
}

/**
 * Does the same as `recordChange` for many records, in as few statements as for one. `write` gets the fields of the
 * records that exist, by id, and is not run when none does.
 */
export async function recordChanges(
  tx: Tx,
  actor: Actor,
  kind: RecordKind,
  { ids, action, undoes, reason, isDeleted = false }: Omit<ChangeDetails, 'id'> & { ids: readonly string[] },
  write: (before: Map<string, Fields>) => Promise<void>,
): Promise<void> {
  // Both are sent at once and run in order.
  const [, before] = await Promise.all([kind.more && lock(tx, kind, ids), readSnapshots(tx, kind, ids, isDeleted)])
  if (before.size === 0) return
  for (const [id, { version }] of before) await requireVersion(tx, actor, kind, id, version)
  await write(new Map([...before].map(([id, { fields }]) => [id, fields])))
  const after = await readSnapshots(tx, kind, [...before.keys()])
  const changed = [...before].flatMap(([id, seen]) => {
    const now = after.get(id)
    if (!now) throw new Error(`A change removed the ${kind.entity} that it was of`)
    const names = Object.keys(now.fields).filter((name) => !isEqual(seen.fields[name], now.fields[name]))
    return names.length === 0 ? [] : [{ id, seen, now, names, isCounted: now.version !== seen.version }]
  })
  // Only rows of other tables have changed, so the version trigger has not run.
  const uncounted = changed.flatMap(({ id, isCounted }) => (isCounted ? [] : [id]))
  if (uncounted.length > 0) {
    await sql`update ${sql.table(kind.table)} as record set version = version + 1 where ${hasIdOf(uncounted)}`.execute(
      tx,
    )
  }
  await insertAudits(
    tx,
    actor,
    changed.map(({ id, seen, now, names, isCounted }) => ({
      action,
      undoes,
      reason,
      id,
      entity: kind.entity,
      label: now.label,
      version: isCounted ? now.version : now.version + 1,
      before: pick(seen.fields, names, kind),
      after: pick(now.fields, names, kind),
    })),
  )
}

/** New values of columns; an expression is over `record`, the row before the change. */
export type Assignments<Table extends keyof Database> = {
  [Column in keyof Updateable<Database[Table]>]: Updateable<Database[Table]>[Column] | RawBuilder<string>
}

/**
 * Does the same as `recordChange`, in a single statement, for changes of the record's own columns alone. Needs no open
 * transaction. Returns the row after the change; undefined when there is no such record.
 */
export async function recordEdit<Table extends keyof Database>(
  db: Db | Tx,
  actor: Actor,
  kind: RecordKind<Table>,
  { id, action, reason }: Pick<ChangeDetails, 'id' | 'action' | 'reason'>,
  columns: Assignments<Table>,
): Promise<Selectable<Database[Table]> | undefined> {
  const assignments = Object.entries(columns).flatMap(([name, value]) =>
    value === undefined ? [] : [sql`${sql.id(name)} = ${value}`],
  )
  const at = actor.now()
  const auditId = createId(at.getTime())
  const by = toActorColumns(actor)
  const isSeen = actor.expects === 'any' ? sql`true` : sql`before.version = ${actor.expects}`
  const toStored = (value: RawBuilder<unknown>) =>
    kind.secrets?.length
      ? sql`case when key = any(${kind.secrets}::text[]) then to_jsonb(${SECRET_MASK}::text) else ${value} end`
      : value
  const statement = sql<Selectable<Database[Table]> & Edited>`
    with before as (
      select record.id, record.version, ${toComparedFields(kind)} as fields
        from ${sql.table(kind.table)} as record
       where record.id = ${id} ${kind.isDeletable ? sql`and record.deleted_at is null` : sql``}
         for no key update of record
    ), record as (
      update ${sql.table(kind.table)} as record set ${sql.join(assignments)}
        from before
       where record.id = before.id and ${isSeen}
      returning record.*
    ), difference as (
      select jsonb_object_agg(key, ${toStored(sql`before.fields -> key`)}) as before, jsonb_object_agg(key, ${toStored(sql`value`)}) as after
        from before, record, jsonb_each(${toComparedFields(kind)}) as field (key, value)
       where value is distinct from before.fields -> key
    ), change as (
      insert into audit (id, at, actor_kind, actor_id, address, request_id, action, entity, entity_id, label, version,
                         before, after, reason)
      select ${auditId}, next_change_at(record.id, ${at}), ${by.actor_kind}, ${by.actor_id}, ${by.address}, ${by.request_id}, ${action}, ${kind.entity},
             record.id, ${kind.label}, record.version, difference.before, difference.after, ${reason ?? null}
        from record, difference
       where difference.after is not null
      returning before
    )
    select before.version as "seenVersion", (select before from change) as "changedFields", record.*
      from before left join record on true`
  const { rows } = await retryLostRace(() => statement.execute(db))
  const [row] = rows
  if (!row) return undefined
  await requireVersion(db, actor, kind, id, row.seenVersion)
  const { changedFields: before } = row
  if (before) {
    const { entity } = kind
    actor.changes.push({
      auditId,
      entity,
      action,
      id,
      version: row.version,
      undoEntity: findUndoEntity({ action, entity, before }),
    })
  }
  return row
}

/** Runs `write`, which inserts the record, and stores its creation with all its fields. */
export async function recordCreation<T>(
  tx: Tx,
  actor: Actor,
  kind: RecordKind,
  id: string,
  write: () => Promise<T>,
): Promise<T> {
  const result = await write()
  const after = (await readSnapshots(tx, kind, [id])).get(id)
  if (!after) throw new Error(`A new ${kind.entity} is not there`)
  const names = Object.keys(after.fields)
  await insertAudits(tx, actor, [
    {
      id,
      action: 'create',
      entity: kind.entity,
      label: after.label,
      version: after.version,
      after: pick(after.fields, names, kind),
    },
  ])
  return result
}

type AuditRow = {
  id: string | null
  action: AuditAction
  entity: AuditEntity
  label: string
  version?: number
  before?: Fields
  after?: Fields
  reason?: string | undefined
  undoes?: string | undefined
}

type AuditEvent = Omit<AuditRow, 'id' | 'label'> & { id?: string | undefined; label?: string }

/** Records something that changed no record's fields, such as a sign-in, a download or a new order. */
export async function recordEvent(db: Db | Tx, actor: Actor, event: AuditEvent): Promise<void> {
  await recordEvents(db, actor, [event])
}

export async function recordEvents(db: Db | Tx, actor: Actor, events: readonly AuditEvent[]): Promise<void> {
  await insertAudits(
    db,
    actor,
    events.map((event) => ({ ...event, id: event.id ?? null, label: event.label ?? '' })),
  )
}

async function insertAudits(db: Db | Tx, actor: Actor, rows: readonly AuditRow[]): Promise<void> {
  if (rows.length === 0) return
  const at = actor.now()
  const by = toActorColumns(actor)
  const stored = rows.map(({ id, ...row }) => ({
    ...row,
    id: createId(at.getTime()),
    entity_id: id !== null && isId(id) ? id : null,
  }))
  await sql`
    insert into audit (id, at, actor_kind, actor_id, address, request_id, action, entity, entity_id, label, version,
                       before, after, reason, undoes)
    select id, next_change_at(entity_id, ${at}), ${by.actor_kind}, ${by.actor_id}, ${by.address}, ${by.request_id},
           action, entity, entity_id, label, version, before, after, coalesce(reason, ${actor.seenAs ?? null}), undoes
      from jsonb_to_recordset(${JSON.stringify(stored)}::jsonb) as row (
             id uuid, action text, entity text, entity_id uuid, label text, version integer, before jsonb, after jsonb,
             reason text, undoes uuid)`.execute(db)
  for (const [index, row] of rows.entries()) {
    const { entity, action, id, version = null } = row
    const auditId = stored[index]?.id ?? ''
    const from = row.before?.location_id
    const left = typeof from === 'string' ? from : undefined
    actor.changes.push({ auditId, entity, action, id, version, undoEntity: findUndoEntity(row), left })
  }
}

export function toActorColumns({ kind, id, address, requestId }: Pick<Actor, 'kind' | 'id' | 'address' | 'requestId'>) {
  return { actor_kind: kind, actor_id: id, address, request_id: requestId }
}

/** Returns the history's fields of a row alias, for statements that write a change and its audit row at once. */
export function toFields(row: string): RawBuilder<Fields> {
  return sql`(to_jsonb(${sql.ref(row)}) - ${sql.lit(`{${notFields.join(',')}}`)}::text[])`
}

/** Writes the first entry in the history of records that were loaded in bulk. */
export async function recordLoaded(tx: Tx, kind: RecordKind): Promise<void> {
  const masked = sql`${JSON.stringify(Object.fromEntries((kind.secrets ?? []).map((name) => [name, SECRET_MASK])))}::jsonb`
  await sql`
    insert into audit (at, actor_kind, action, entity, entity_id, label, version, after)
    select record.created_at, 'system', 'create', ${kind.entity}, record.id, ${kind.label}, record.version,
           ${toFields('record')} ${withoutLeftOut(kind)} || ${masked}
      from ${sql.table(kind.table)} as record`.execute(tx)
}

/**
 * Locks the records in a statement of its own. A statement that waits for a lock then reads the row again, but other
 * tables as they were before it waited, so a record's fields in them have to be read afterwards.
 */
async function lock(tx: Tx, kind: RecordKind, ids: readonly string[]): Promise<void> {
  const records = sql`select from ${sql.table(kind.table)} as record where ${hasIdOf(ids)}`
  await sql`${records} order by record.id for no key update of record`.execute(tx)
}

/** Locks the records that exist, in the order of their ids, and returns their snapshots by id. */
async function readSnapshots(
  tx: Tx,
  kind: RecordKind,
  ids: readonly string[],
  isDeleted?: boolean,
): Promise<Map<string, Snapshot>> {
  const deleted = isDeleted ? sql`and record.deleted_at is not null` : sql`and record.deleted_at is null`
  const { rows } = await sql<Snapshot & { id: string | number }>`
    select record.id, ${kind.label} as label, record.version,
           ${toComparedFields(kind)} ${kind.more ? sql`|| ${kind.more}` : sql``} as fields
      from ${sql.table(kind.table)} as record
     where ${hasIdOf(ids)} ${kind.isDeletable && isDeleted !== undefined ? deleted : sql``}
     order by record.id
       for no key update of record`.execute(tx)
  return new Map(rows.map(({ id, ...snapshot }) => [String(id), snapshot]))
}

/** Compares a single id directly: PostgreSQL caches that plan, but would plan a query with an array every time. */
function hasIdOf(ids: readonly string[]): RawBuilder<boolean> {
  const [id] = ids
  return ids.length === 1 ? sql`record.id = ${id}` : sql`record.id = any(${ids})`
}

/** Returns the fields of the row `record` that its history covers, with hashes in place of secrets. */
function toComparedFields(kind: RecordKind): RawBuilder<Fields> {
  const hashes = (kind.secrets ?? []).map(
    (name) => sql`|| jsonb_build_object(${sql.lit(name)}, md5(${sql.ref(`record.${name}`)}))`,
  )
  return sql`${toFields('record')} ${withoutLeftOut(kind)} ${sql.join(hashes, sql` `)}`
}

const withoutLeftOut = ({ leftOut = [] }: RecordKind) =>
  leftOut.length > 0 ? sql`- ${sql.lit(`{${leftOut.join(',')}}`)}::text[]` : sql``

/** Throws a 409 with the current record unless the actor expects this version. */
async function requireVersion(db: Db | Tx, actor: Actor, kind: RecordKind, id: string, version: number): Promise<void> {
  if (actor.expects === 'any' || actor.expects === version) return
  throw new AppError('record_changed', { current: await kind.find(db, id) })
}

function pick(fields: Fields, names: readonly string[], { secrets = [] }: RecordKind): Fields {
  return Object.fromEntries(names.map((name) => [name, secrets.includes(name) ? SECRET_MASK : fields[name]]))
}

/** Both values come from jsonb, which writes equal values alike. */
function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
