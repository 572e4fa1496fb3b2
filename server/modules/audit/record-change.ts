import { type RawBuilder, sql } from 'kysely'
import type { AuditAction } from '#contract/audit.ts'
import { SECRET_MASK } from '#contract/secrets.ts'
import type { Actor } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import type { Fields } from '#server/db/schema.ts'
import { insertAudits } from './record-event.ts'
import { type RecordKind, requireVersion, toComparedFields, toFields, withoutLeftOut } from './record-kind.ts'

/**
 * Writes the history. Every change of a record passes through here or through record-edit.ts: it stores, in the change's
 * own transaction, who made it and what it changed, and it rejects changes made from an outdated version
 * (docs/decisions/020).
 */

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
  const [, before] = await Promise.all([
    kind.more && lockRecords(tx, kind, ids),
    readSnapshots(tx, kind, ids, isDeleted),
  ])
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
export async function lockRecords(tx: Tx, kind: RecordKind, ids: readonly string[]): Promise<void> {
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

function pick(fields: Fields, names: readonly string[], { secrets = [] }: RecordKind): Fields {
  return Object.fromEntries(names.map((name) => [name, secrets.includes(name) ? SECRET_MASK : fields[name]]))
}

/** Both values come from jsonb, which writes equal values alike. */
function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
