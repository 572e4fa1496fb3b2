import { type Kysely, sql } from 'kysely'
import { besideBooking, MOST_CHARACTERS, ofBooking, toList, toRename } from './011-search-texts.ts'

/** Adds companies, and the bookings that are made for one. A booking is found by its company's name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table companies (
    id uuid primary key,
    name text not null check (name <> ''),
    contact_name text not null default '',
    email text not null default '',
    phone text not null default '',
    vat_number text not null default '',
    billing_address text not null default '',
    cost_centre text not null default '',
    deleted_at timestamptz,
    created_at timestamptz not null default now(),
    version integer not null default 1
  )`,
  'create index companies_created_idx on companies (created_at desc, id desc)',
  `create trigger companies_version before update on companies
   for each row when (old.* is distinct from new.*) execute function count_version()`,
  'alter table bookings add column company_id uuid references companies (id)',
  'create index bookings_company_idx on bookings (company_id, start_time) where company_id is not null',
  // A customer's booking belongs to no company.
  'alter table bookings add constraint bookings_company_check check (company_id is null or user_id is null)',

  // A customer whom staff book for may have only a phone number.
  'drop index users_email_key',
  "create unique index users_email_key on users (email) where deleted_at is null and email <> ''",

  ...toList({
    table: 'companies',
    text: 'name, contact_name, email, search_phone(phone), vat_number, cost_centre',
    from: 'companies',
    columns: 'name, contact_name, email, phone, vat_number, cost_centre',
    names: 'name, contact_name',
  }),
  `create or replace view bookings_search as
   select bookings.id,
          search_text(left(concat_ws(' ', bookings.purpose, ${ofBooking}, companies.name), ${MOST_CHARACTERS})) as text
     from bookings ${besideBooking}
     left join companies on companies.id = bookings.company_id`,
  `create trigger bookings_search_company after update of company_id on bookings
   for each row when (old.company_id is distinct from new.company_id) execute function bookings_search_follow()`,
  ...toRename({
    table: 'companies',
    columns: 'name',
    followers: { bookings: 'select id from bookings where company_id = new.id' },
  }),
]
