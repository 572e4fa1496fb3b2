import { type Insertable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { RolePreset, RolePresetListQuery } from '#contract/role-presets.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { byText, toListOrder } from '#server/db/lists/pagination.ts'
import { hasWords, readPlainPage } from '#server/db/lists/plain-page.ts'
import type { Database } from '#server/db/schema.ts'
import type { RecordKind } from '../audit/record-kind.ts'

type RolePresetsTable = Database['role_presets']

const id = sql.ref('role_presets.id')
const orders = {
  name: { by: byText(sql.ref('role_presets.name')), type: 'text', id },
  createdAt: { by: sql.ref('role_presets.created_at'), type: 'timestamptz', id },
} as const

export async function listRolePresets(db: Db, query: z.output<typeof RolePresetListQuery>) {
  const rows = db
    .selectFrom('role_presets')
    .select(columns)
    .where('deleted_at', query.status === 'deleted' ? 'is not' : 'is', null)
    .where(sql<boolean>`${hasWords(sql`role_presets.name || ' ' || role_presets.id`, query.search)}`)
  return readPlainPage(db, rows, toListOrder(orders, query.sort, 'name'), query)
}

export async function findRolePreset(db: Db | Tx, presetId: string): Promise<RolePreset | undefined> {
  return db
    .selectFrom('role_presets')
    .select(columns)
    .where('id', '=', presetId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function insertRolePreset(tx: Tx, preset: Insertable<RolePresetsTable>): Promise<void> {
  await tx.insertInto('role_presets').values(preset).execute()
}

export async function updateRolePreset(tx: Tx, presetId: string, changes: Updateable<RolePresetsTable>): Promise<void> {
  await tx.updateTable('role_presets').set(changes).where('id', '=', presetId).execute()
}

export const rolePresetRecord: RecordKind<'role_presets'> = {
  entity: 'role-preset',
  table: 'role_presets',
  label: sql`record.name`,
  isDeletable: true,
  find: findRolePreset,
}

const columns = [
  'role_presets.id as _id',
  'role_presets.name',
  sql<string[]>`role_presets.pages::text[]`.as('auth_page'),
  sql<string[]>`role_presets.view_only_pages::text[]`.as('viewOnlyPages'),
  // Leaves out locations that have been deleted since.
  sql<string[] | null>`case when location_ids is not null then array(
    select locations.id from locations where locations.id = any(role_presets.location_ids) and locations.deleted_at is null
     order by 1) end`.as('locations'),
  'role_presets.version',
] as const
