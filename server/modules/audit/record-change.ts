import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { AuditAction, AuditEntity } from '#contract/audit.ts'
import { isUndoable } from '#contract/audit-rules.ts'
import { SECRET_MASK } from '#contract/secrets.ts'
import type { Actor } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { Database, Fields } from '#server/db/schema.ts'
import { retryLostRace } from '#server/db/transaction.ts'
import { AppError } from '#server/http/app-error.ts'
import { createId, isId } from '#server/ids.ts'

/**
 * Writes the history: every change of a record passes through here, which stores who made it and what it changed in the
 * change's own transaction, and refuses one that was made from an outdated version (docs/decisions/020).
 */

/** The server itself: its jobs and commands. */
export function systemActor(now: () => Date): Actor {
  return { kind: 'system', id: null, address: null, requestId: null, now, expects: 'any', changes: [] }
}

/** Where the records of a kind are, and what the history says of them. */
export type RecordKind<Table extends keyof Database = keyof Database> = {
  entity: AuditEntity
  table: Table
  /** What a person calls the record, of the row `record`. */
  label: RawBuilder<string>
  /** Columns of which the history says no more than that they changed. */
  secrets?: readonly string[]
  /** Columns that belong to something else's history. */
  left?: readonly string[]
  /** What other tables say of the row `record`, as a jsonb object. */
  more?: RawBuilder<unknown>
  isDeletable: boolean
  /** As the API shows it; undefined when it is not there. */
  find: (db: Db | Tx, id: string) => Promise<unknown>
}

export type ChangeDetails = {
  id: string
  action: AuditAction
  reason?: string | undefined
  /** The audit row that this change takes back. */
  undoes?: string | undefined
  /** Looks among deleted records instead. */
  isDeleted?: boolean
}

type Snapshot = { label: string; version: number; fields: Fields }
/** The version before, the one now, and what the fields that have changed were; null where none has. */
type Edited = { seenVersion: number; version: number; changedFields: Fields | null }

const notFields = ['id', 'version', 'created_at', 'updated_at']

/**
 * Locks the record, runs `write`, and stores what differs afterwards. Returns what `write` returns, or undefined, without
 * running it, when there is no such record. A record that has moved on is a 409 with its current values.
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
 * The same for many records, in as few statements as for one. `write` gets the fields of those that there are, by id, and
 * is not run when there is none.
 */
export async function recordChanges(
  tx: Tx,
  actor: Actor,
  kind: RecordKind,
  { ids, action, undoes, reason, isDeleted = false }: Omit<ChangeDetails, 'id'> & { ids: readonly string[] },
  write: (before: Map<string, Fields>) => Promise<void>,
): Promise<void> {
  const before = await readSnapshots(tx, kind, ids, isDeleted)
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
  // Other tables alone have changed: the trigger has seen nothing, and counts now.
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

/**
 * The same for a change of nothing but columns of the record itself, as one statement: a transaction of its own where none
 * is open. Returns the row as it is afterwards; undefined when there is no such record.
 */
export async function recordEdit<Table extends keyof Database>(
  db: Db | Tx,
  actor: Actor,
  kind: RecordKind<Table>,
  { id, action, reason }: Pick<ChangeDetails, 'id' | 'action' | 'reason'>,
  columns: Updateable<Database[Table]>,
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
      isUndoable: isUndoable({ action, entity, before }),
    })
  }
  return row
}

/** Runs `write`, which inserts the record, and stores it with all its fields. */
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

/** What happened that changed no record's fields: a sign-in, a download, an order. */
export async function recordEvent(
  db: Db | Tx,
  actor: Actor,
  event: Omit<AuditRow, 'version' | 'id' | 'label'> & { id?: string | undefined; label?: string },
): Promise<void> {
  await insertAudits(db, actor, [{ ...event, id: event.id ?? null, label: event.label ?? '' }])
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
    actor.changes.push({ auditId, entity, action, id, version, isUndoable: isUndoable(row) })
  }
}

export function toActorColumns({ kind, id, address, requestId }: Pick<Actor, 'kind' | 'id' | 'address' | 'requestId'>) {
  return { actor_kind: kind, actor_id: id, address, request_id: requestId }
}

/** The fields of a row by this name in a statement, for one that writes its change and its audit row at once. */
export function toFields(row: string): RawBuilder<Fields> {
  return sql`(to_jsonb(${sql.ref(row)}) - ${sql.lit(`{${notFields.join(',')}}`)}::text[])`
}

/** Gives records that were loaded in bulk the beginning of their history. */
export async function recordLoaded(tx: Tx, kind: RecordKind): Promise<void> {
  const masked = sql`${JSON.stringify(Object.fromEntries((kind.secrets ?? []).map((name) => [name, SECRET_MASK])))}::jsonb`
  await sql`
    insert into audit (at, actor_kind, action, entity, entity_id, label, version, after)
    select record.created_at, 'system', 'create', ${kind.entity}, record.id, ${kind.label}, record.version,
           ${toFields('record')} || ${masked}
      from ${sql.table(kind.table)} as record`.execute(tx)
}

/** By id, of those that there are; locked in the order of their ids. */
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

/** Of a single id the database keeps its plan; of an array it would plan anew at each call. */
function hasIdOf(ids: readonly string[]): RawBuilder<boolean> {
  const [id] = ids
  return ids.length === 1 ? sql`record.id = ${id}` : sql`record.id = any(${ids})`
}

/** The fields of the row `record` that its history is about, of secrets a hash. */
function toComparedFields({ secrets = [], left = [] }: RecordKind): RawBuilder<Fields> {
  const hashes = secrets.map((name) => sql`|| jsonb_build_object(${sql.lit(name)}, md5(${sql.ref(`record.${name}`)}))`)
  const without = left.length > 0 ? sql`- ${sql.lit(`{${left.join(',')}}`)}::text[]` : sql``
  return sql`${toFields('record')} ${without} ${sql.join(hashes, sql` `)}`
}

/** Throws a 409 that carries the record as it is now. */
async function requireVersion(db: Db | Tx, actor: Actor, kind: RecordKind, id: string, version: number): Promise<void> {
  if (actor.expects === 'any' || actor.expects === version) return
  throw new AppError('record_changed', { current: await kind.find(db, id) })
}

function pick(fields: Fields, names: readonly string[], { secrets = [] }: RecordKind): Fields {
  return Object.fromEntries(names.map((name) => [name, secrets.includes(name) ? SECRET_MASK : fields[name]]))
}

/** Both come out of jsonb, which writes equal values alike. */
function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
