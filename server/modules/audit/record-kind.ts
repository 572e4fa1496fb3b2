import { type RawBuilder, sql } from 'kysely'
import type { AuditEntity } from '#contract/audit-entities.ts'
import type { Actor } from '#server/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { Database, Fields } from '#server/db/schema.ts'
import { AppError } from '#server/http/app-error.ts'

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

const notFields = ['id', 'version', 'created_at', 'updated_at']

/** Returns the history's fields of a row alias, for statements that write a change and its audit row at once. */
export function toFields(row: string): RawBuilder<Fields> {
  return sql`(to_jsonb(${sql.ref(row)}) - ${sql.lit(`{${notFields.join(',')}}`)}::text[])`
}

/** Returns the fields of the row `record` that its history covers, with hashes in place of secrets. */
export function toComparedFields(kind: RecordKind): RawBuilder<Fields> {
  const hashes = (kind.secrets ?? []).map(
    (name) => sql`|| jsonb_build_object(${sql.lit(name)}, md5(${sql.ref(`record.${name}`)}))`,
  )
  return sql`${toFields('record')} ${withoutLeftOut(kind)} ${sql.join(hashes, sql` `)}`
}

export const withoutLeftOut = ({ leftOut = [] }: RecordKind) =>
  leftOut.length > 0 ? sql`- ${sql.lit(`{${leftOut.join(',')}}`)}::text[]` : sql``

/** Throws a 409 with the current record unless the actor expects this version. */
export async function requireVersion(
  db: Db | Tx,
  actor: Actor,
  kind: RecordKind,
  id: string,
  version: number,
): Promise<void> {
  if (actor.expects === 'any' || actor.expects === version) return
  throw new AppError('record_changed', { current: await kind.find(db, id) })
}
