import { type Kysely, sql } from 'kysely'
import { besideBooking, MOST_CHARACTERS, ofBooking, toRename } from './011-search-texts.ts'

/** A transaction is found by the name of the company whose booking was paid for, as the booking is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create or replace view transactions_search as
   select transactions.id,
          search_text(left(concat_ws(' ', transactions.checkout_id, transactions.merchant_id,
            transactions.payment_facilitator, ${ofBooking}, companies.name), ${MOST_CHARACTERS})) as text
     from transactions
     left join bookings on bookings.id = transactions.booking_id ${besideBooking}
     left join companies on companies.id = bookings.company_id`,
  // A booking that is given to another company takes its transactions along, as with its other columns.
  'drop trigger bookings_search_company on bookings',
  `create or replace function bookings_search_change() returns trigger language plpgsql as $$
   declare
     ids uuid[];
   begin
     select array_agg(added.id) into ids from added join removed using (id)
      where (added.purpose, added.pod_id, added.location_id, added.user_id, added.staff_id, added.company_id)
            is distinct from
            (removed.purpose, removed.pod_id, removed.location_id, removed.user_id, removed.staff_id, removed.company_id);
     if ids is null then
       return null;
     end if;
     perform bookings_search_rewrite(ids);
     insert into search_refreshes (list, record_id) select 'transactions', id from transactions where booking_id = any(ids);
     if found then
       perform refresh_search_texts(1000);
     end if;
     return null;
   end $$`,
  'drop trigger companies_search_rename on companies',
  'drop function companies_search_rename',
  ...toRename({
    table: 'companies',
    columns: 'name',
    followers: {
      bookings: 'select id from bookings where company_id = new.id',
      transactions:
        'select transactions.id from transactions join bookings on bookings.id = booking_id where company_id = new.id',
    },
  }),
  // The job that completes renames rewrites the existing texts.
  `insert into search_refreshes (list, record_id)
   select 'transactions', transactions.id from transactions join bookings on bookings.id = booking_id
    where company_id is not null`,
]
