import { type Insertable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { ApiKeyState } from '#contract/api-key-states.ts'
import type { ApiKey, ApiKeyListQuery } from '#contract/api-keys.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { byText, toListOrder } from '#server/db/lists/pagination.ts'
import { hasWords, readPlainPage } from '#server/db/lists/plain-page.ts'
import type { Database } from '#server/db/schema.ts'
import type { RecordKind } from '../audit/record-kind.ts'

type ApiKeysTable = Database['api_keys']

const id = sql.ref('api_keys.id')
const orders = {
  createdAt: { by: sql.ref('api_keys.created_at'), type: 'timestamptz', id },
  name: { by: byText(sql.ref('api_keys.name')), type: 'text', id },
} as const

/** `today` is the date in the business time zone. */
export async function listApiKeys(db: Db, query: z.output<typeof ApiKeyListQuery>, today: string) {
  const { state, search } = query
  const rows = selectApiKeys(db, today)
    .$if(state !== undefined, (found) => found.where(toState(today), '=', state ?? null))
    .where(hasWords(sql`api_keys.name || ' ' || prefix || ' ' || api_keys.id`, search))
  const page = await readPlainPage(db, rows, toListOrder(orders, query.sort, '-createdAt'), query)
  return { ...page, rows: page.rows.map(toApiKey) }
}

export async function findApiKey(db: Db | Tx, keyId: string, today: string): Promise<ApiKey | undefined> {
  const row = await selectApiKeys(db, today).where('api_keys.id', '=', keyId).executeTakeFirst()
  return row && toApiKey(row)
}

export async function insertApiKey(tx: Tx, key: Insertable<ApiKeysTable>): Promise<void> {
  await tx.insertInto('api_keys').values(key).execute()
}

export async function updateApiKey(tx: Tx, keyId: string, changes: Updateable<ApiKeysTable>): Promise<void> {
  await tx.updateTable('api_keys').set(changes).where('id', '=', keyId).execute()
}

export const apiKeyRecord = (today: string): RecordKind<'api_keys'> => ({
  entity: 'api-key',
  table: 'api_keys',
  label: sql`record.name`,
  leftOut: ['key_hash', 'last_used_at', 'last_used_address'],
  isDeletable: false,
  find: (db, keyId) => findApiKey(db, keyId, today),
})

const toState = (today: string) => sql<ApiKeyState>`
  case when revoked_at is not null then 'revoked' when expires_on < ${today}::date then 'expired' else 'live' end`

function selectApiKeys(db: Db | Tx, today: string) {
  return db
    .selectFrom('api_keys')
    .innerJoin('staff', 'staff.id', 'api_keys.created_by')
    .select([
      'api_keys.id',
      'api_keys.name',
      'prefix',
      'api_keys.pages',
      'api_keys.view_only_pages',
      'api_keys.location_ids',
      'expires_on',
      'created_by',
      'api_keys.created_at',
      'revoked_at',
      'last_used_at',
      'last_used_address',
      'api_keys.version',
      toState(today).as('state'),
      sql<string>`trim(staff.firstname || ' ' || staff.lastname)`.as('maker_name'),
    ])
}

type ApiKeyRow = Awaited<ReturnType<ReturnType<typeof selectApiKeys>['executeTakeFirstOrThrow']>>

function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    _id: row.id,
    name: row.name,
    prefix: row.prefix,
    auth_page: row.pages.map(String),
    viewOnlyPages: row.view_only_pages.map(String),
    locations: row.location_ids,
    expiresOn: row.expires_on,
    state: row.state,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    lastUsedAddress: row.last_used_address,
    createdAt: row.created_at.toISOString(),
    createdBy: { _id: row.created_by, name: row.maker_name },
    revokedAt: row.revoked_at?.toISOString() ?? null,
    version: row.version,
  }
}
