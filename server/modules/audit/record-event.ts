import { sql } from 'kysely'
import type { AuditEntity } from '#contract/audit-entities.ts'
import { findUndoEntity } from '#contract/audit-rules.ts'
import type { AuditAction } from '#contract/audit.ts'
import type { Actor } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { Fields } from '#server/db/schema.ts'
import { createId, isId } from '#server/ids.ts'

/** Returns the actor for changes by the server itself: its jobs and commands. */
export function systemActor(now: () => Date): Actor {
  return { kind: 'system', id: null, address: null, requestId: null, now, expects: 'any', changes: [] }
}

export type AuditRow = {
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

/** Inserts rows of the history, and adds them to the actor's changes, which the live hints and Undo are told of. */
export async function insertAudits(db: Db | Tx, actor: Actor, rows: readonly AuditRow[]): Promise<void> {
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
