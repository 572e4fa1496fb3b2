import { type Migration, sql } from 'kysely'
import * as foundation from './001-foundation.ts'
import * as rowCounts from './002-row-counts.ts'
import * as rowCountsIndex from './003-row-counts-index.ts'
import * as wordStarts from './004-word-starts.ts'
import * as rowCountsMonths from './005-row-counts-months.ts'
import * as signInAddresses from './006-sign-in-addresses.ts'
import * as secretKeyCheck from './008-secret-key-check.ts'
import * as imageKeys from './009-image-keys.ts'
import * as countryCodes from './010-country-codes.ts'
import * as searchTexts from './011-search-texts.ts'
import * as audit from './013-audit.ts'
import * as webhooks from './016-webhooks.ts'
import * as hours from './019-hours.ts'
import * as closures from './020-closures.ts'
import * as runningBookings from './021-running-bookings.ts'
import * as companies from './024-companies.ts'
import * as webhookVersions from './027-webhook-versions.ts'
import * as customerMessages from './029-customer-messages.ts'
import * as blocksAsClosures from './030-blocks-as-closures.ts'
import * as partitions from './058-partitions.ts'
import * as openBalances from './070-open-balances.ts'
import * as refundedPayments from './071-refunded-payments.ts'
import * as transactionsOfCompanies from './073-transactions-of-companies.ts'

/** In order of name; short migrations are written here. A released migration is never changed: add a new one. */
export const migrations: Record<string, Migration> = {
  '001-foundation': foundation,
  '002-row-counts': rowCounts,
  '003-row-counts-index': rowCountsIndex,
  '004-word-starts': wordStarts,
  '005-row-counts-months': rowCountsMonths,
  '006-sign-in-addresses': signInAddresses,
  '008-secret-key-check': secretKeyCheck,
  '009-image-keys': imageKeys,
  '010-country-codes': countryCodes,
  '011-search-texts': searchTexts,
  '012-pod-capacity': run(
    'alter table pods add column capacity smallint check (capacity between 1 and 50)',
    // A pod is also found by its seats: '8 seats'.
    `create or replace view pods_search as
     select pods.id,
            search_text(left(concat_ws(' ', pods.title, locations.name, locations.city, pods.capacity || ' seats'), 1500)) as text,
            search_text(left(concat_ws(' ', pods.title), 1500)) as names
       from pods join locations on locations.id = pods.location_id`,
    'drop trigger pods_search_update on pods',
    `create trigger pods_search_update after update of title, location_id, capacity on pods
     for each row when ((old.title, old.location_id, old.capacity) is distinct from (new.title, new.location_id, new.capacity))
     execute function pods_search_follow()`,
  ),
  '013-audit': audit,
  '014-jobs': run(
    `create table jobs (
      id uuid primary key default gen_random_uuid(),
      kind text not null,
      key text not null,
      payload jsonb not null default '{}',
      run_at timestamptz not null,
      tries integer not null default 0,
      max_tries integer,
      lease_id uuid,
      lease_until timestamptz,
      last_error text,
      created_at timestamptz not null default now(),
      done_at timestamptz,
      dead_at timestamptz,
      check (done_at is null or dead_at is null)
    )`,
    'create unique index jobs_open_key on jobs (key) where done_at is null and dead_at is null',
    'create index jobs_due_idx on jobs (run_at) where done_at is null and dead_at is null',
    'create index jobs_dead_idx on jobs (dead_at desc, id desc) where dead_at is not null',
    'create index jobs_done_idx on jobs (done_at) where done_at is not null',
  ),
  '015-mails': run(
    `create table mails (
      id uuid primary key,
      kind text not null,
      to_name text not null,
      to_email text not null,
      subject text not null,
      html text not null,
      text text not null,
      state text not null check (state in ('queued', 'sent', 'failed', 'kept')),
      tries integer not null default 0,
      response text,
      created_at timestamptz not null,
      sent_at timestamptz
    )`,
    'create index mails_created_idx on mails (created_at desc, id desc)',
    `create index mails_search_idx on mails using gin ((lower(to_name || ' ' || to_email || ' ' || subject)) gin_trgm_ops)`,
  ),
  '016-webhooks': webhooks,
  '018-idempotency-keys': run(
    `create table idempotency_keys (
      staff_id uuid not null references staff (id) on delete cascade,
      key_hash bytea not null,
      request_hash bytea not null,
      response text,
      change_id uuid,
      created_at timestamptz not null,
      primary key (staff_id, key_hash)
    )`,
    'create index idempotency_keys_created_at_idx on idempotency_keys (created_at)',
  ),
  '019-hours': hours,
  '020-closures': closures,
  '021-running-bookings': runningBookings,
  // To find the cleaning times of a day, which are few of all slots.
  '023-buffer-slots': run('create index booking_slots_buffer_idx on booking_slots (slot_start) where is_buffer'),
  '024-companies': companies,
  '025-series': run(
    `create table series (
      id uuid primary key,
      -- Of wall clock, as start_time is: neither has a time zone.
      rule text not null,
      pod_id uuid not null references pods (id),
      purpose text not null,
      start_time timestamptz not null,
      end_time timestamptz not null,
      made_by_staff_id uuid not null references staff (id),
      created_at timestamptz not null,
      version integer not null default 1
    )`,
    `create trigger series_version before update on series
     for each row when (old.* is distinct from new.*) execute function count_version()`,
    'alter table bookings add column series_id uuid references series (id)',
    'create index bookings_series_idx on bookings (series_id, start_time) where series_id is not null',
  ),
  '027-webhook-versions': webhookVersions,
  '028-customer-notes': run(`alter table users add column note text not null default ''`),
  '029-customer-messages': customerMessages,
  '030-blocks-as-closures': blocksAsClosures,
  // The changes of a record follow each other in time, whichever server writes them: a change that waited for another's
  // lock on the record is later. Volatile, so that it sees what was committed meanwhile.
  '031-order-of-changes': run(
    `create function next_change_at(record_id uuid, wanted timestamptz) returns timestamptz language plpgsql volatile as $$
     begin
       return greatest(wanted, (select max(at) + interval '1 millisecond' from audit where entity_id = record_id));
     end $$`,
  ),
  '033-password-links': run(
    // An invited person has no password until they choose one.
    'alter table staff alter column password_hash drop not null',
    `create table password_links (
      token_hash bytea primary key,
      staff_id uuid not null references staff (id) on delete cascade,
      expires_at timestamptz not null
    )`,
    'create index password_links_staff_idx on password_links (staff_id)',
    'create index password_links_expires_idx on password_links (expires_at)',
    'alter table mails add column link_for uuid references staff (id)',
  ),
  '034-session-use': run(
    `alter table sessions
       add column id uuid not null default gen_random_uuid(),
       add column address text not null default '',
       add column user_agent text not null default '',
       add column last_used_at timestamptz not null default now()`,
    'create unique index sessions_id_idx on sessions (id)',
  ),
  '035-session-confirmations': run('alter table sessions add column confirmed_at timestamptz not null default now()'),
  '037-second-factors': run(
    `create table second_factors (
      id uuid primary key,
      staff_id uuid not null references staff (id) on delete cascade,
      secret text not null,
      last_step integer not null default 0,
      created_at timestamptz not null,
      confirmed_at timestamptz
    )`,
    'create unique index second_factors_confirmed_idx on second_factors (staff_id) where confirmed_at is not null',
    'create unique index second_factors_new_idx on second_factors (staff_id) where confirmed_at is null',
    `create table recovery_codes (
      code_hash bytea primary key,
      staff_id uuid not null references staff (id) on delete cascade
    )`,
    'create index recovery_codes_staff_idx on recovery_codes (staff_id)',
    `create table sign_in_challenges (
      token_hash bytea primary key,
      staff_id uuid not null references staff (id) on delete cascade,
      user_agent text not null,
      expires_at timestamptz not null
    )`,
    'create index sign_in_challenges_staff_idx on sign_in_challenges (staff_id)',
    'create index sign_in_challenges_expires_idx on sign_in_challenges (expires_at)',
  ),
  '039-view-only-pages': run(
    `alter table staff
       add column view_only_pages smallint[] not null default '{}',
       add constraint staff_view_only_pages_held check (view_only_pages <@ pages)`,
  ),
  // Many bookings change at once when a location closes: their texts are rewritten together rather than row by row.
  '040-search-texts-at-once': run(
    `create function bookings_search_change() returns trigger language plpgsql as $$
     declare
       ids uuid[];
     begin
       select array_agg(added.id) into ids from added join removed using (id)
        where (added.purpose, added.pod_id, added.location_id, added.user_id, added.staff_id)
              is distinct from (removed.purpose, removed.pod_id, removed.location_id, removed.user_id, removed.staff_id);
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
    'drop trigger bookings_search_update on bookings',
    'drop trigger bookings_search_rename on bookings',
    'drop function bookings_search_rename',
    `create trigger bookings_search_change after update on bookings
     referencing old table as removed new table as added for each statement execute function bookings_search_change()`,
  ),
  // Null means all locations. Without a foreign key: a deleted location stays, hidden, and a person who had only that
  // one sees nothing.
  '045-staff-locations': run(
    `alter table staff
       add column location_ids uuid[],
       add constraint staff_location_ids_some check (cardinality(location_ids) > 0)`,
  ),
  '047-second-factor-required': run(
    'alter table pricing add column second_factor_required boolean not null default false',
  ),
  '049-api-keys': run(
    `create table api_keys (
      id uuid primary key,
      name text not null check (name <> ''),
      prefix text not null,
      key_hash bytea not null unique,
      pages smallint[] not null check (cardinality(pages) > 0 and pages <@ array[1,2,3,4,5,6,7,8,9]::smallint[]),
      view_only_pages smallint[] not null default '{}' check (view_only_pages <@ pages),
      -- None means all, as of staff.
      location_ids uuid[] check (cardinality(location_ids) > 0),
      -- The last day in the business time zone; never without one.
      expires_on date,
      created_by uuid not null references staff (id),
      created_at timestamptz not null,
      revoked_at timestamptz,
      last_used_at timestamptz,
      last_used_address text,
      version integer not null default 1,
      -- Whoever changes Assign Role makes staff and keys.
      constraint api_keys_only_look_at_staff check (not 8 = any(pages) or 8 = any(view_only_pages))
    )`,
    'create index api_keys_created_idx on api_keys (created_at desc, id desc)',
    `create trigger api_keys_version before update on api_keys for each row
     when (to_jsonb(old) - '{last_used_at,last_used_address}'::text[] is distinct from to_jsonb(new) - '{last_used_at,last_used_address}'::text[])
     execute function count_version()`,
    'alter table audit drop constraint audit_actor_kind_check',
    `alter table audit add constraint audit_actor_kind_check
       check (actor_kind in ('staff', 'api-key', 'system', 'customer', 'provider'))`,
    // The id of a staff member or of an API key; neither is ever removed. The column keeps its name, which servers of
    // the previous release write.
    'alter table idempotency_keys drop constraint idempotency_keys_staff_id_fkey',
  ),
  '051-passkeys': run(
    `create table passkeys (
      id uuid primary key,
      staff_id uuid not null references staff (id) on delete cascade,
      name text not null check (name <> ''),
      -- Base64url, as browsers send it.
      credential_id text not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text[] not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`,
    'create index passkeys_staff_idx on passkeys (staff_id)',
    // When a passkey replaces the password, it is not yet known who will sign in.
    'alter table sign_in_challenges alter column staff_id drop not null',
    `alter table sign_in_challenges
       add column purpose text not null default 'second-factor'
         check (purpose in ('second-factor', 'sign-in', 'add-passkey')),
       add constraint sign_in_challenges_of_whom check ((staff_id is null) = (purpose = 'sign-in'))`,
  ),
  '053-role-presets': run(
    `create table role_presets (
      id uuid primary key default gen_random_uuid(),
      name text not null check (name <> ''),
      pages smallint[] not null check (cardinality(pages) > 0 and pages <@ array[1,2,3,4,5,6,7,8,9]::smallint[]),
      view_only_pages smallint[] not null default '{}' check (view_only_pages <@ pages),
      -- None means all, as of staff.
      location_ids uuid[] check (cardinality(location_ids) > 0),
      created_at timestamptz not null default now(),
      deleted_at timestamptz,
      version integer not null default 1
    )`,
    'create unique index role_presets_name_key on role_presets (lower(name)) where deleted_at is null',
    `create trigger role_presets_version before update on role_presets
     for each row when (old.* is distinct from new.*) execute function count_version()`,
    // Presets to begin with; staff change and delete them like their own.
    `insert into role_presets (name, pages, view_only_pages) values
       ('Front desk', '{1,3,5,6,7,9}', '{3,5,7}'),
       ('Operations manager', '{1,2,3,4,5,6,7,9}', '{4}'),
       ('Finance', '{1,4,5,6}', '{5,6}'),
       ('Viewer', '{1,2,3,4,5,6,7,9}', '{1,2,3,4,5,6,7,9}')`,
  ),
  '054-view-as': run(
    `alter table sessions
       add column viewed_staff_id uuid references staff (id),
       add column viewed_until timestamptz,
       add constraint sessions_viewed_until_check check ((viewed_staff_id is null) = (viewed_until is null))`,
  ),
  '055-backups': run(
    `create table backups (
      name text primary key,
      job_id uuid not null,
      made_at timestamptz not null,
      bytes bigint not null,
      rows bigint not null,
      images integer not null,
      sha256 text not null,
      checked_at timestamptz not null
    )`,
  ),
  // A change is written into the history before the jobs that follow from it, mostly by triggers. Its request is
  // remembered for the rest of the transaction and set on these jobs.
  '057-job-requests': run(
    `create function remember_request() returns trigger language plpgsql as $$
     begin
       perform set_config('podkeeper.request_id', coalesce(new.request_id, ''), true);
       return new;
     end $$`,
    'create trigger audit_remember_request before insert on audit for each row execute function remember_request()',
    `alter table jobs add column request_id text`,
    `create function set_job_request() returns trigger language plpgsql as $$
     begin
       new.request_id := nullif(current_setting('podkeeper.request_id', true), '');
       return new;
     end $$`,
    'create trigger jobs_request before insert on jobs for each row execute function set_job_request()',
    // For a job that a later change plans anew.
    `create trigger jobs_request_anew before update on jobs for each row when (new.id <> old.id)
     execute function set_job_request()`,
  ),
  '058-partitions': partitions,
  // The previous token is accepted for a moment longer: requests are on their way with it, and other tabs still have
  // it.
  '060-session-tokens': run(
    `alter table sessions
       add column previous_token_hash bytea,
       add column previous_until timestamptz,
       add constraint sessions_previous_until_check check ((previous_token_hash is null) = (previous_until is null))`,
    'create unique index sessions_previous_token_idx on sessions (previous_token_hash) where previous_token_hash is not null',
  ),
  '061-bookings-follow-pods': run(
    // Bookings to come used to stay at the former location of a pod that moved. Wall clocks are within a day of now().
    `update bookings set location_id = pods.location_id
       from pods
      where pods.id = bookings.pod_id and bookings.location_id <> pods.location_id
        and bookings.end_time > now() - interval '1 day'`,
  ),
  '062-told-locations': run(
    // Null: not known, as of messages that were written by an older server.
    'alter table told_bookings add column location_id uuid references locations (id)',
    `update told_bookings set location_id = bookings.location_id
       from bookings
      where bookings.id = booking_id and bookings.pod_id = told_bookings.pod_id
        and bookings.end_time > now() - interval '1 day'`,
    `create or replace function queue_message() returns trigger language plpgsql as $$
     declare
       group_id uuid;
     begin
       if current_setting('podkeeper.importing', true) = 'on' then
         return null;
       end if;
       select coalesce(series_id, id) into group_id from bookings
        where id = new.entity_id and (user_id is not null or company_id is not null);
       if group_id is null then
         return null;
       end if;
       insert into told_bookings (booking_id, pod_id, location_id, start_time, end_time, is_cancelled)
       select id,
              case when new.action <> 'create' then coalesce((new.before ->> 'pod_id')::uuid, pod_id) end,
              case when new.action <> 'create' then coalesce((new.before ->> 'location_id')::uuid, location_id) end,
              case when new.action <> 'create' then coalesce((new.before ->> 'start_time')::timestamptz, start_time) end,
              case when new.action <> 'create' then coalesce((new.before ->> 'end_time')::timestamptz, end_time) end,
              case when new.action <> 'create' then coalesce(new.before ->> 'status', status) = 'Cancelled' end
         from bookings where id = new.entity_id
           on conflict do nothing;
       insert into jobs (kind, key, payload, run_at, max_tries)
       values ('customer message', 'customer message ' || group_id, jsonb_build_object('groupId', group_id),
               new.at + case new.action when 'create' then interval '0' else interval '30 seconds' end, 10)
           on conflict (key) where done_at is null and dead_at is null do update
          set id = excluded.id, payload = excluded.payload, run_at = excluded.run_at, tries = 0, last_error = null;
       return null;
     end $$`,
    // A booking whose pod moves to another location is edited.
    'drop trigger audit_messages on audit',
    `create trigger audit_messages after insert on audit
     for each row when (
       new.entity = 'booking'
       and (new.action in ('create', 'move', 'cancel', 'reinstate')
            or new.action = 'edit' and new.before ->> 'location_id' is not null)
       and (new.action <> 'create' or new.actor_kind <> 'system'
            and (new.after ->> 'user_id' is not null or new.after ->> 'company_id' is not null))
     ) execute function queue_message()`,
  ),
  '063-generated-passwords': run(
    // Accounts of before keep their passwords: nobody knows which of them were generated.
    'alter table staff add column must_replace_password boolean not null default false',
  ),
  '064-erased-customers': run(
    'alter table users add column erased_at timestamptz check (erased_at is null or deleted_at is not null)',
  ),
  '065-mails-without-accents': run(
    'drop index mails_search_idx',
    `create index mails_search_idx on mails using gin
     (search_text(to_name || ' ' || to_email || ' ' || subject) gin_trgm_ops)`,
  ),
  // Events of transactions could be chosen, but never happened: other systems write these.
  '066-no-events-of-transactions': run(
    `update webhooks
        set events = array(select event from unnest(events) as event where event not like 'transaction.%')
      where 'transaction.*' = any(events) or 'transaction.created' = any(events) or 'transaction.changed' = any(events)`,
  ),
  // Null for earlier cancellations: which payments had completed by then is not known.
  '067-paid-when-cancelled': run('alter table bookings add column paid_when_cancelled numeric(12,2)'),
  '068-no-shows-index': run(
    'create index bookings_no_shows_idx on bookings (created_at desc, id desc) where no_show_at is not null',
  ),
  '069-refunds-counted': run(
    'alter table bookings add column refunds_counted numeric(12,2) not null default 0 check (refunds_counted >= 0)',
  ),
  '070-open-balances': openBalances,
  '071-refunded-payments': refundedPayments,
  // Triggers run in the order of their names. A renamed pod now has its own text rewritten before those of its bookings,
  // as when its location is renamed: in different orders, the two would deadlock.
  '072-search-text-of-pod-first': run('alter trigger pods_search_update on pods rename to pods_search_own'),
  '073-transactions-of-companies': transactionsOfCompanies,
}

/** Returns a migration of a few statements. */
function run(...statements: string[]): Migration {
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db)
    },
  }
}
