import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { Delivery, DeliveryListQuery, Webhook } from '#contract/webhooks.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { toListOrder } from '#server/db/lists/pagination.ts'
import { readPlainPage } from '#server/db/lists/plain-page.ts'
import type { Database } from '#server/db/schema.ts'
import { isId } from '#server/ids.ts'

type WebhooksTable = Database['webhooks']
type DeliveriesTable = Database['webhook_deliveries']

export async function listWebhooks(db: Db): Promise<Webhook[]> {
  const rows = await db.selectFrom('webhooks').selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map(toWebhook)
}

export async function insertWebhook(tx: Tx, webhook: Insertable<WebhooksTable>): Promise<Webhook> {
  return toWebhook(await tx.insertInto('webhooks').values(webhook).returningAll().executeTakeFirstOrThrow())
}

/** The row as it was; undefined when there is none. */
export async function lockWebhook(tx: Tx, id: string): Promise<Selectable<WebhooksTable> | undefined> {
  return tx.selectFrom('webhooks').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function updateWebhook(tx: Tx, id: string, changes: Updateable<WebhooksTable>): Promise<void> {
  await tx.updateTable('webhooks').set(changes).where('id', '=', id).execute()
}

export async function deleteWebhook(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute()
}

const orders = {
  createdAt: {
    by: sql.ref('webhook_deliveries.created_at'),
    type: 'timestamptz',
    id: sql.ref('webhook_deliveries.id'),
  },
} as const

export async function listDeliveries(db: Db, query: z.output<typeof DeliveryListQuery>) {
  const { state, webhook } = query
  const rows = selectDeliveries(db)
    .$if(state !== undefined, (found) => found.where(sql<boolean>`state = ${state}`))
    .$if(webhook !== undefined, (found) =>
      found.where(isId(webhook ?? '') ? sql<boolean>`webhook_id = ${webhook}` : sql<boolean>`false`),
    )
  const page = await readPlainPage(db, rows, toListOrder(orders, query.sort, '-createdAt'), query)
  return { ...page, rows: page.rows.map(toDelivery) }
}

export async function findDelivery(db: Db | Tx, id: string) {
  return selectDeliveries(db).where('webhook_deliveries.id', '=', id).executeTakeFirst()
}

export async function updateDelivery(db: Db | Tx, id: string, changes: Updateable<DeliveriesTable>): Promise<void> {
  await db.updateTable('webhook_deliveries').set(changes).where('id', '=', id).execute()
}

/** Returns how many there were. */
export async function deleteDeliveries(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_deliveries')
    .where('created_at', '<=', before)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

function selectDeliveries(db: Db | Tx) {
  return db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .selectAll('webhook_deliveries')
    .select(['webhooks.url', 'webhooks.secret', 'webhooks.is_enabled'])
}

function toWebhook({ id, url, events, is_enabled, created_at }: Selectable<WebhooksTable>): Webhook {
  return { _id: id, url, events, isEnabled: is_enabled, createdAt: created_at.toISOString() }
}

function toDelivery(row: Selectable<DeliveriesTable> & { url: string }): Delivery {
  return {
    _id: row.id,
    webhookId: row.webhook_id,
    url: row.url,
    event: row.event,
    body: row.body,
    state: row.state,
    tries: row.tries,
    response: row.response,
    createdAt: row.created_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
  }
}
