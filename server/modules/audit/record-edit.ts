import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { findUndoEntity } from '#contract/audit-rules.ts'
import { SECRET_MASK } from '#contract/secrets.ts'
import type { Actor } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { Database, Fields } from '#server/db/schema.ts'
import { retryLostRace } from '#server/db/transaction.ts'
import { createId } from '#server/ids.ts'
import type { ChangeDetails } from './record-change.ts'
import { toActorColumns } from './record-event.ts'
import { type RecordKind, requireVersion, toComparedFields } from './record-kind.ts'

/** The versions before and after, and the old values of the changed fields; null when none has changed. */
type Edited = { seenVersion: number; version: number; changedFields: Fields | null }

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
