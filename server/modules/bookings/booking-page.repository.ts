import { sql } from 'kysely'
import type { Db, Tx } from '#server/db/client.ts'
import { ledgerColumns, policyOf } from './booking-money.ts'
import { selectBookings } from './bookings.repository.ts'

/** Returns a booking with all that its page shows and its actions need. */
export async function findBookingPage(db: Db | Tx, id: string) {
  return selectBookings(db)
    .leftJoin('staff as maker', (join) =>
      join.on('maker.id', '=', sql`coalesce(bookings.made_by_staff_id, bookings.staff_id)`),
    )
    .leftJoin('staff as receiver', 'receiver.id', 'bookings.checked_in_by')
    .select([
      'pods.device_id',
      'pods.pod_user_id',
      'pods.direction',
      'users.mobile as user_mobile',
      'users.erased_at as customer_erased_at',
      'companies.contact_name as company_contact',
      'companies.email as company_email',
      'companies.phone as company_phone',
      'bookings.made_by_staff_id',
      'bookings.checked_in_method',
      'bookings.cancelled_at',
      'bookings.cancel_reason',
      'maker.id as maker_id',
      'maker.email as maker_email',
      'maker.phone_number as maker_phone',
    ])
    .select([fullName('maker').as('maker_name'), fullName('receiver').as('receiver_name')])
    .select(policyOf().as('policy'))
    .select(ledgerColumns)
    .where('bookings.id', '=', id)
    .executeTakeFirst()
}

export async function listPayments(db: Db | Tx, bookingId: string) {
  return db
    .selectFrom('transactions')
    .select(['id', 'amount', 'currency', 'status', 'payment_facilitator', 'created_at', 'refunded_at'])
    .where('booking_id', '=', bookingId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Returns the staff members whose booking it is, and its pod, which must be locked before the booking. */
export async function findOwners(db: Db | Tx, id: string) {
  return db
    .selectFrom('bookings')
    .select(['pod_id', 'staff_id', 'made_by_staff_id'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns a booking's last cancellation in the history; undefined when there is none or it is archived. */
export async function findCancellation(tx: Tx, id: string) {
  return tx
    .selectFrom('audit')
    .select('before')
    .where('entity_id', '=', id)
    .where('entity', '=', 'booking')
    .where('action', '=', 'cancel')
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Returns the reason given when the booking was put where it was before the change, if any. A move that only gave time
 * up needed none, and left it there.
 */
export async function findReasonBefore(tx: Tx, id: string, changeId: string): Promise<string | null | undefined> {
  const row = await tx
    .selectFrom('audit')
    .select('reason')
    .where('entity_id', '=', id)
    .where('entity', '=', 'booking')
    .where('action', 'in', ['create', 'move', 'reinstate'])
    .where(
      sql<boolean>`not (
        action = 'move' and not after ? 'pod_id'
        and coalesce((after ->> 'start_time')::timestamptz >= (before ->> 'start_time')::timestamptz, true)
        and coalesce((after ->> 'end_time')::timestamptz <= (before ->> 'end_time')::timestamptz, true))`,
    )
    .where('id', '<>', changeId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.reason
}

function fullName(table: string) {
  return sql<string | null>`trim(${sql.ref(`${table}.firstname`)} || ' ' || ${sql.ref(`${table}.lastname`)})`
}
