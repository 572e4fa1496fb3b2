import { type RawBuilder, sql } from 'kysely'
import type { Actor, AppContext } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { forgetNames, readNames } from '#server/db/lists/fuzzy-match.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/http/app-error.ts'
import { recordEvents, systemActor } from '../audit/record-event.ts'
import { ownerId } from '../bookings/booking-conditions.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { toMessageKey } from '../messages/messages.service.ts'

/** What stands in the place of the name, on bookings and in the history. */
const ERASED = { firstname: 'Erased', lastname: 'customer' }

/** Erasing a customer locks all their bookings that have notes, so only a few are erased in one transaction. */
const BATCH = 20

/**
 * Erases the personal data of a deleted customer for good (rules §8.4). Throws a 404 for an unknown customer, and a 409
 * for one who is not deleted, has bookings to come, or has been erased already.
 */
export async function eraseCustomer(context: AppContext, actor: Actor, id: string): Promise<void> {
  const now = toBusinessNow(context)
  await inTransaction(context.db, async (tx) => {
    const customer = await tx
      .selectFrom('users')
      .select(['deleted_at', 'erased_at'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!customer) throw notFound('Customer')
    if (!customer.deleted_at) throw new AppError('customer_not_deleted')
    if (customer.erased_at) throw new AppError('customer_erased')
    if ((await listWithoutBookings(tx, [id], now)).length === 0) throw new AppError('customer_has_bookings')
    await erase(tx, actor, [id])
  })
}

/** Erases customers who were deleted before `before` and have no bookings to come. Returns their number. */
export async function eraseDeletedCustomers(context: AppContext, before: Date): Promise<number> {
  const now = toBusinessNow(context)
  const actor = systemActor(() => context.clock.now())
  let erased = 0
  for (;;) {
    const { found, ids } = await inTransaction(context.db, async (tx) => {
      const customers = await tx
        .selectFrom('users')
        .select('id')
        .where('deleted_at', '<', before)
        .where('erased_at', 'is', null)
        .where(hasBookingsToCome(now), '=', false)
        .orderBy('id')
        .limit(BATCH)
        .forNoKeyUpdate()
        .skipLocked()
        .execute()
      const ids = await listWithoutBookings(
        tx,
        customers.map(({ id }) => id),
        now,
      )
      if (ids.length > 0) await erase(tx, actor, ids)
      return { found: customers.length, ids }
    })
    erased += ids.length
    if (found < BATCH) return erased
  }
}

function hasBookingsToCome(now: Date): RawBuilder<boolean> {
  return sql`exists (
    select from bookings
     where ${ownerId} = users.id and status <> 'Cancelled' and end_time > ${now})`
}

/**
 * Lists the customers among `ids` who have no bookings to come. Called once they are locked: a booking may have been
 * reinstated while the lock was waited for.
 */
async function listWithoutBookings(tx: Tx, ids: readonly string[], now: Date): Promise<string[]> {
  const rows = tx
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
  return (await rows.where(hasBookingsToCome(now), '=', false).execute()).map(({ id }) => id)
}

/** Throws if the customer has been erased. Locks them, so that nobody erases them meanwhile. */
export async function requireCustomerNotErased(tx: Tx, id: string): Promise<void> {
  const customer = await tx
    .selectFrom('users')
    .select('erased_at')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (customer?.erased_at) throw new AppError('customer_erased')
}

/** Keeps what the accounts need: bookings and payments, under the customers' ids. */
async function erase(tx: Tx, actor: Actor, ids: readonly string[]): Promise<void> {
  const isTheirs = sql<boolean>`${ownerId} = any(${ids}::uuid[])`
  const groups = sql<string>`select coalesce(series_id, id) from bookings where ${isTheirs}`
  await tx
    .deleteFrom('mails')
    .where(sql<boolean>`group_id in (${groups})`)
    .execute()
  // What a mail server said when a message failed, or says of one that is being sent, often names the address.
  const keys = sql`select ${toMessageKey('')} || group_id from (${groups}) as theirs (group_id)`
  await tx
    .deleteFrom('jobs')
    .where(sql<boolean>`key in (${keys}) and done_at is null`)
    .execute()
  const names = await readNames(tx, ids)
  const bookings = await tx
    .updateTable('bookings')
    .set({ note: '', cancel_reason: reasonWithoutDetails })
    .where(isTheirs)
    .where(sql<boolean>`(note <> '' or cancel_reason is distinct from ${reasonWithoutDetails})`)
    .returning(['id', 'version', sql<string>`(select title from pods where pods.id = pod_id)`.as('title')])
    .execute()
  await eraseDeliveries(tx, ids, isTheirs)
  await forgetResponses(tx, ids)
  const nothing = { email: '', mobile: '', username: '', note: '' }
  const erased = await tx
    .updateTable('users')
    .set({ ...ERASED, ...nothing, erased_at: actor.now() })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .returning(['id', 'version'])
    .execute()
  await forgetNames(tx, names)
  // Without the old values, which the history would keep; with the version, so that webhooks are told.
  const name = `${ERASED.firstname} ${ERASED.lastname}`
  const toEvent = (entity: 'booking' | 'customer', id: string, version: number, label: string) =>
    ({ action: 'erase', entity, id, version, label }) as const
  await recordEvents(tx, actor, [
    ...bookings.map(({ id, version, title }) => toEvent('booking', id, version, title)),
    ...erased.map(({ id, version }) => toEvent('customer', id, version, name)),
  ])
}

/** The reason that was chosen when the booking was cancelled, without what was typed beside it. */
const reasonWithoutDetails = sql<string | null>`(
  select chosen from pricing, unnest(cancel_reasons) as chosen
   where starts_with(bookings.cancel_reason, chosen) order by length(chosen) desc limit 1)`

/**
 * Takes the values out of what webhooks were told, and out of what their receivers responded, who may repeat it: staff
 * can read both for a month or two.
 */
async function eraseDeliveries(tx: Tx, ids: readonly string[], isTheirs: RawBuilder<boolean>): Promise<void> {
  const told = sql`(body::jsonb #>> '{data,id}')::uuid`
  const status = sql`regexp_replace(response, '^(\\d{3}) .*', '\\1')`
  await sql`
    update webhook_deliveries
       set body = jsonb_set(jsonb_set(body::jsonb, '{data,before}', 'null'), '{data,after}', 'null')::text,
           response = ${status}
     where event like 'customer.%' and ${told} = any(${ids}::uuid[])`.execute(tx)
  await sql`
    update webhook_deliveries
       set body = (body::jsonb #- '{data,before,note}' #- '{data,after,note}'
                               #- '{data,before,cancel_reason}' #- '{data,after,cancel_reason}')::text,
           response = ${status}
     where event like 'booking.%' and body ~ '"(note|cancel_reason)": "[^"]'
       and ${told} in (select id from bookings where ${isTheirs})`.execute(tx)
}

/**
 * Forgets the requests of the last day that changed them, as the response to an undo says whose change is undone, or
 * whose stored response is about them: a repetition is then a new request.
 */
async function forgetResponses(tx: Tx, ids: readonly string[]): Promise<void> {
  const eachId = sql`regexp_matches(response, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g')`
  await sql`
    delete from idempotency_keys
     where change_id in (select id from audit where entity = 'customer' and entity_id = any(${ids}::uuid[]))
        or exists (
             select from ${eachId} as found (id)
               left join bookings on bookings.id = found.id[1]::uuid
              where coalesce(bookings.user_id, bookings.staff_id, found.id[1]::uuid) = any(${ids}::uuid[]))`.execute(tx)
}
