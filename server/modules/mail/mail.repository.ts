import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { Mail, MailListQuery } from '#contract/mails.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { toListOrder } from '#server/db/lists/pagination.ts'
import { hasWords, readPlainPage } from '#server/db/lists/plain-page.ts'
import type { Database } from '#server/db/schema.ts'
import { isId } from '#server/ids.ts'
import { isWaiting } from '#server/jobs/queue.ts'

type MailsTable = Database['mails']

const orders = {
  createdAt: { by: sql.ref('mails.created_at'), type: 'timestamptz', id: sql.ref('mails.id') },
} as const

export async function listMails(db: Db, query: z.output<typeof MailListQuery>) {
  const { state, kind, search } = query
  const rows = db
    .selectFrom('mails')
    .select([...columns, ...computed])
    .where(hasWords(sql`to_name || ' ' || to_email || ' ' || subject`, search))
    .$if(state !== undefined, (found) => found.where(sql<boolean>`state = ${state}`))
    .$if(kind !== undefined, (found) => found.where(sql<boolean>`kind = ${kind}`))
  const page = await readPlainPage(db, rows, toListOrder(orders, query.sort, '-createdAt'), query)
  return { ...page, rows: page.rows.map(toMail) }
}

/**
 * Returns mails by their ids, and the latest failed ones of bookings and series by the ids of these. Other texts than
 * ids are ignored.
 */
export async function listMailsOf(db: Db, ids: readonly string[]): Promise<Map<string, Mail>> {
  const known = ids.filter(isId)
  const rows = await db
    .selectFrom('mails')
    .select([...columns, ...computed, sql<string>`coalesce(group_id, mails.id)`.as('owner_id')])
    .distinctOn(sql`coalesce(group_id, mails.id)`)
    .where(sql<boolean>`(mails.id = any(${known}::uuid[]) or (group_id = any(${known}::uuid[]) and state = 'failed'))`)
    .orderBy(sql`coalesce(group_id, mails.id)`)
    .orderBy('created_at', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.owner_id, toMail(row)]))
}

/** Returns the mail as stored: its HTML refers to the QR code as `cid:code`. */
export async function findMail(db: Db | Tx, id: string) {
  const row = await db.selectFrom('mails').selectAll().select(computed).where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const { html, text, code, calendar, bookings, group_id: groupId, link_for: linkFor } = row
  return { ...toMail(row), html, text, code, calendar, bookings, groupId, linkFor }
}

export async function insertMail(tx: Tx, mail: Insertable<MailsTable>): Promise<void> {
  await tx.insertInto('mails').values(mail).execute()
}

export async function updateMail(db: Db | Tx, id: string, changes: Updateable<MailsTable>): Promise<void> {
  await db.updateTable('mails').set(changes).where('id', '=', id).execute()
}

/** Queues a failed or kept mail again. Returns false when there is none. */
export async function requeueMail(tx: Tx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('mails')
    .set({ state: 'queued' })
    .where('id', '=', id)
    .where('state', 'in', ['failed', 'kept'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes mails created at or before `before`, and returns their number. */
export async function deleteMails(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('mails').where('created_at', '<=', before).executeTakeFirst()
  return Number(numDeletedRows)
}

const columns = [
  'mails.id',
  'mails.kind',
  'mails.to_name',
  'mails.to_email',
  'mails.subject',
  'mails.state',
  'mails.tries',
  'mails.response',
  'mails.created_at',
  'mails.sent_at',
] as const

/** All bookings of a mail are of the same customer. */
const customerId = sql<string | null>`
  (select user_id from bookings where bookings.id = (mails.bookings -> 0 ->> 'bookingId')::uuid)`

/** When the next try is of a mail that waits for it; the keys are those of the mail's job. */
const nextTryAt = sql<Date | null>`
  (select run_at from jobs
    where key = case when group_id is null then 'mail ' || mails.id else 'customer message ' || group_id end
      and ${isWaiting} and mails.state = 'queued')`

const computed = [customerId.as('customer_id'), nextTryAt.as('next_try_at')] as const

type MailColumn = (typeof columns)[number] extends `mails.${infer Column}` ? Column : never

function toMail(
  row: Pick<Selectable<MailsTable>, MailColumn> & { customer_id: string | null; next_try_at: Date | null },
): Mail {
  return {
    _id: row.id,
    kind: row.kind,
    customerId: row.customer_id,
    toName: row.to_name,
    toEmail: row.to_email,
    subject: row.subject,
    state: row.state,
    tries: row.tries,
    response: row.response,
    nextTryAt: row.next_try_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
  }
}
