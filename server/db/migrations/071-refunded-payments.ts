import { type Kysely, sql } from 'kysely'

/**
 * Tells a payment that was paid back, whose own status becomes `refunded`, from a refund, which is a row of its own
 * (rules §27.2): the first was paid and paid back, the second only paid back. Rows from before this migration cannot be
 * told apart, and count as refunds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table transactions add column refunded_at timestamptz',
  `create function note_refunded_payment() returns trigger language plpgsql as $$
   begin
     new.refunded_at := case when old.status = 'completed' and new.status = 'refunded' then now() end;
     return new;
   end $$`,
  `create trigger transactions_refunded before update of status on transactions
   for each row when (old.status <> new.status and 'refunded' in (old.status, new.status))
   execute function note_refunded_payment()`,
  // As in migration 070, except that what was paid back later counts as paid too.
  `create or replace view booking_balances as
   select id, paid, refunded, before_refunds,
          case when before_refunds < 0 then least(before_refunds + greatest(refunded - refunds_counted, 0), 0)
               else before_refunds end as amount
     from bookings,
          lateral (select coalesce(sum(amount) filter (where transactions.status = 'completed'
                                                          or refunded_at is not null), 0) as paid,
                          coalesce(sum(amount) filter (where transactions.status = 'refunded'), 0) as refunded
                     from transactions where booking_id = bookings.id and currency = 'ZAR') as payments,
          lateral (select case
                     when status = 'Cancelled' then least(balance_due - greatest(paid - paid_when_cancelled, 0), 0)
                     else least(balance_due, price - paid) + refunds_counted end as before_refunds) as balance`,
]
