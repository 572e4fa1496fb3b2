import { type Kysely, sql } from 'kysely'

/**
 * What customers still owe for each booking, and what is to be given back to them (rules §27.12), kept by triggers, so
 * that such bookings can be found among a million. A row only exists while something is owed by either side.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const isPaidOrRefunded = `booking_id is not null and status in ('completed', 'refunded')`

const statements = [
  `create table open_balances (
    booking_id uuid primary key,
    amount numeric(12,2) not null check (amount <> 0)
  )`,
  // The balances as they should be, in ZAR, as are prices and refunds. The column of the booking only has what was
  // charged here and what a cancellation gives back, to which payments are added that completed after it. The rest of
  // the price was settled when the booking was sold, with or without a payment that is known here. Payments beyond that
  // rest count against what is due. before_refunds: without the refunds that are not in refunds_counted.
  `create view booking_balances as
   select id, paid, refunded, before_refunds,
          case when before_refunds < 0 then least(before_refunds + greatest(refunded - refunds_counted, 0), 0)
               else before_refunds end as amount
     from bookings,
          lateral (select coalesce(sum(amount) filter (where transactions.status = 'completed'), 0) as paid,
                          coalesce(sum(amount) filter (where transactions.status = 'refunded'), 0) as refunded
                     from transactions where booking_id = bookings.id and currency = 'ZAR') as payments,
          lateral (select case
                     when status = 'Cancelled' then least(balance_due - greatest(paid - paid_when_cancelled, 0), 0)
                     else least(balance_due, price - paid) + refunds_counted end as before_refunds) as balance`,
  // Locks first and reads afterwards: a transaction that waited for another change of the same booking then sees it.
  // A connection keeps the plan that it made first, when the tables may have been empty: it must not scan them by then.
  `create function refresh_balances(ids uuid[]) returns void language plpgsql set enable_seqscan = off as $$
   begin
     perform from bookings where id = any(ids) order by id for no key update;
     with fresh as (select id, amount from booking_balances where id = any(ids)),
          settled as (delete from open_balances using fresh where booking_id = fresh.id and fresh.amount = 0)
     insert into open_balances select id, amount from fresh where amount <> 0
         on conflict (booking_id) do update set amount = excluded.amount;
   end $$`,
  `create function follow_booking_balance() returns trigger language plpgsql as $$
   begin
     if tg_op = 'DELETE' then delete from open_balances where booking_id = old.id;
     elsif tg_op = 'TRUNCATE' then delete from open_balances;
     else perform refresh_balances(array[new.id]);
     end if;
     return null;
   end $$`,
  `create trigger bookings_balance_insert after insert on bookings
   for each row when (new.balance_due <> 0) execute function follow_booking_balance()`,
  `create trigger bookings_balance_update after update on bookings for each row when (
     (old.balance_due, old.price, old.refunds_counted, old.paid_when_cancelled, old.status = 'Cancelled')
     is distinct from
     (new.balance_due, new.price, new.refunds_counted, new.paid_when_cancelled, new.status = 'Cancelled')
   ) execute function follow_booking_balance()`,
  `create trigger bookings_balance_delete after delete on bookings
   for each row execute function follow_booking_balance()`,
  `create trigger bookings_balance_truncate after truncate on bookings
   for each statement execute function follow_booking_balance()`,
  `create function follow_payments() returns trigger language plpgsql as $$
   declare ids uuid[];
   begin
     if tg_op = 'INSERT' then
       select array_agg(distinct booking_id) into ids from added where ${isPaidOrRefunded};
     elsif tg_op = 'DELETE' then
       select array_agg(distinct booking_id) into ids from removed where ${isPaidOrRefunded};
     else
       select array_agg(distinct booking_id) into ids
         from (select booking_id, status from added union all select booking_id, status from removed) as changed
        where ${isPaidOrRefunded};
     end if;
     if ids is not null then perform refresh_balances(ids); end if;
     return null;
   end $$`,
  `create trigger transactions_balance_insert after insert on transactions
   referencing new table as added for each statement execute function follow_payments()`,
  `create trigger transactions_balance_update after update on transactions
   referencing new table as added old table as removed for each statement execute function follow_payments()`,
  `create trigger transactions_balance_delete after delete on transactions
   referencing old table as removed for each statement execute function follow_payments()`,
  `create function forget_payments() returns trigger language plpgsql as $$
   begin
     perform refresh_balances(array(select booking_id from open_balances));
     return null;
   end $$`,
  `create trigger transactions_balance_truncate after truncate on transactions
   for each statement execute function forget_payments()`,
  // Only these can have one: what was charged or cancelled here, and what was paid more than once or too much.
  `insert into open_balances
   select id, amount from booking_balances
    where amount <> 0 and id in (
      select id from bookings
       where balance_due <> 0 or bookings.status = 'Cancelled'
          or price < (select sum(amount) from transactions
                       where booking_id = bookings.id and status = 'completed' and currency = 'ZAR'))`,
]
