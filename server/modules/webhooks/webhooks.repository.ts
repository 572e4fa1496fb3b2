import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { Delivery, DeliveryListQuery, Webhook } from '#contract/webhooks.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { hasId } from '#server/db/lists/has-id.ts'
import { toListOrder } from '#server/db/lists/pagination.ts'
import { readPlainPage } from '#server/db/lists/plain-page.ts'
import type { Database } from '#server/db/schema.ts'
import { isId } from '#server/ids.ts'
import { isWaiting } from '#server/jobs/queue.ts'
import type { RecordKind } from '../audit/record-kind.ts'

type WebhooksTable = Database['webhooks']
type DeliveriesTable = Database['webhook_deliveries']

export async function listWebhooks(db: Db): Promise<Webhook[]> {
  const rows = await selectWebhooks(db).selectAll().orderBy('created_at').orderBy('id').execute()
  return rows.map(toWebhook)
}

async function findWebhook(db: Db | Tx, id: string): Promise<Webhook | undefined> {
  const row = await selectWebhooks(db).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toWebhook(row)
}

export async function insertWebhook(tx: Tx, webhook: Insertable<WebhooksTable>): Promise<Webhook> {
  return toWebhook(await tx.insertInto('webhooks').values(webhook).returningAll().executeTakeFirstOrThrow())
}

export async function updateWebhook(tx: Tx, id: string, changes: Updateable<WebhooksTable>): Promise<Webhook> {
  const rows = tx.updateTable('webhooks').set(changes).where('id', '=', id).returningAll()
  return toWebhook(await rows.executeTakeFirstOrThrow())
}

export const webhookRecord: RecordKind = {
  entity: 'webhook',
  table: 'webhooks',
  label: sql`record.url`,
  secrets: ['secret'],
  isDeletable: true,
  find: findWebhook,
}

const selectWebhooks = (db: Db | Tx) => db.selectFrom('webhooks').where('webhooks.deleted_at', 'is', null)

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
    .$if(webhook !== undefined, (found) => found.where(hasId(sql`webhook_id`, webhook)))
  const page = await readPlainPage(db, rows, toListOrder(orders, query.sort, '-createdAt'), query)
  return { ...page, rows: page.rows.map(toDelivery) }
}

export async function findDelivery(db: Db | Tx, id: string) {
  return selectDeliveries(db).where('webhook_deliveries.id', '=', id).executeTakeFirst()
}

/** Other texts than ids are ignored. */
export async function listDeliveriesById(db: Db, ids: readonly string[]): Promise<Map<string, Delivery>> {
  const rows = await selectDeliveries(db)
    .where(sql<boolean>`webhook_deliveries.id = any(${ids.filter(isId)}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, toDelivery(row)]))
}

export async function updateDelivery(db: Db | Tx, id: string, changes: Updateable<DeliveriesTable>): Promise<void> {
  await db.updateTable('webhook_deliveries').set(changes).where('id', '=', id).execute()
}

/**
 * Stores the receiver's response, and other changes of the delivery. Its words are left out if the customer of whom it
 * was told has been erased meanwhile (rules §8.4), as it may repeat that.
 */
export async function storeResponse(
  db: Db,
  { id, body }: { id: string; body: string },
  { response: { status, text }, ...changes }: Updateable<Omit<DeliveriesTable, 'response'>> & { response: Response },
): Promise<void> {
  const response = sql<string>`case when body = ${body} then ${`${status} ${text}`.trim()} else ${String(status)} end`
  await db
    .updateTable('webhook_deliveries')
    .set({ ...changes, response })
    .where('id', '=', id)
    .execute()
}

type Response = { status: number; text: string }

/** Puts off the deliveries of a webhook that are due before then, except for those that a server is sending. */
export async function postponeDeliveries(db: Db, webhookId: string, until: Date): Promise<void> {
  await sql`
    update jobs set run_at = ${until} from webhook_deliveries as delivery
     where jobs.kind = 'webhook' and done_at is null and dead_at is null and lease_id is null and run_at < ${until}
       and delivery.webhook_id = ${webhookId} and delivery.state = 'queued'
       and delivery.id = (jobs.payload ->> 'deliveryId')::uuid`.execute(db)
}

/** When the next try is of a delivery that waits for it; the key is that of its job. */
const nextTryAt = sql<Date | null>`
  (select run_at from jobs where key = 'webhook ' || webhook_deliveries.id and ${isWaiting})`

function selectDeliveries(db: Db | Tx) {
  return db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .where('webhooks.deleted_at', 'is', null)
    .selectAll('webhook_deliveries')
    .select(['webhooks.url', 'webhooks.secret', 'webhooks.is_enabled', nextTryAt.as('next_try_at')])
}

function toWebhook({ id, url, events, is_enabled, version, created_at }: Selectable<WebhooksTable>): Webhook {
  return { _id: id, url, events, isEnabled: is_enabled, version, createdAt: created_at.toISOString() }
}

function toDelivery(row: Selectable<DeliveriesTable> & { url: string; next_try_at: Date | null }): Delivery {
  return {
    _id: row.id,
    webhookId: row.webhook_id,
    url: row.url,
    event: row.event,
    body: row.body,
    state: row.state,
    tries: row.tries,
    response: row.response,
    nextTryAt: row.next_try_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
  }
}
