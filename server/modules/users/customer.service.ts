import { sql } from 'kysely'
import { PAGE } from '#contract/pages.ts'
import type { Customer } from '#contract/users.ts'
import type { AppContext, SignedIn } from '#server/context.ts'
import type { Db } from '#server/db/client.ts'
import { notFound } from '#server/http/app-error.ts'
import { actorName } from '../audit/audit.repository.ts'
import { ownerId } from '../bookings/booking-conditions.ts'
import { isAt } from '../bookings/bookings.filter.ts'
import { toBusinessNow } from '../bookings/bookings.service.ts'
import { columns, toUser } from './users.repository.ts'

/** Returns a customer, even a deleted one, as old bookings link to the page of their customer. */
export async function getCustomer(context: AppContext, { pages }: SignedIn, id: string): Promise<Customer> {
  const { db } = context
  const customer = await db
    .selectFrom('users')
    .select([...columns, 'created_at', 'deleted_at', 'erased_at', 'note'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!customer) throw notFound('Customer')
  const [blocked, bookings, payments] = await Promise.all([
    customer.is_blocked && !customer.erased_at ? findBlocking(db, id) : null,
    pages.includes(PAGE.bookings) ? countBookings(db, id, toBusinessNow(context)) : null,
    pages.includes(PAGE.transactions) ? sumPayments(db, id) : { paid: null, paidBack: null },
  ])
  return {
    ...toUser(customer),
    createdAt: customer.created_at.toISOString(),
    isDeleted: customer.deleted_at !== null,
    isErased: customer.erased_at !== null,
    note: customer.note,
    blocked,
    bookings,
    ...payments,
  }
}

async function findBlocking(db: Db, id: string): Promise<Customer['blocked']> {
  const row = await db
    .selectFrom('audit')
    .select(['audit.at', 'audit.reason', actorName.as('by')])
    .where('entity', '=', 'customer')
    .where('entity_id', '=', id)
    .where('action', '=', 'block')
    // Undoing an unblock brings this one back, with its reason.
    .where('undoes', 'is', null)
    .orderBy('audit.at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { ...row, at: row.at.toISOString() } : null
}

async function countBookings(db: Db, id: string, now: Date): Promise<NonNullable<Customer['bookings']>> {
  const count = (condition: ReturnType<typeof isAt>) => sql<number>`count(*) filter (where ${condition})`
  const isCancelled = sql<boolean>`bookings.status = 'Cancelled'`
  return db
    .selectFrom('bookings')
    .select([
      count(isAt('upcoming', now)).as('upcoming'),
      count(sql`${isAt('past', now)} and not ${isCancelled}`).as('past'),
      count(isCancelled).as('cancelled'),
      count(isAt('no-show', now)).as('noShows'),
    ])
    .where(ownerId, '=', id)
    .executeTakeFirstOrThrow()
}

/** Sums the payments as a booking's page does: one that was paid back was paid too (rules §27.2). */
async function sumPayments(db: Db, id: string): Promise<Pick<Customer, 'paid' | 'paidBack'>> {
  const sum = (condition: ReturnType<typeof sql<boolean>>) =>
    sql<string>`coalesce(sum(amount) filter (where ${condition}), 0)`
  const { paid, paidBack } = await db
    .selectFrom('transactions')
    .innerJoin('bookings', 'bookings.id', 'transactions.booking_id')
    .select([
      sum(sql`transactions.status = 'completed' or refunded_at is not null`).as('paid'),
      sum(sql`transactions.status = 'refunded'`).as('paidBack'),
    ])
    .where('transactions.currency', '=', 'ZAR')
    .where(ownerId, '=', id)
    .executeTakeFirstOrThrow()
  return { paid: Number(paid), paidBack: Number(paidBack) }
}
