import { type Kysely, sql } from 'kysely'

/**
 * Adds messages to customers about their bookings. What a customer knows of a booking is stored beside it: the job that
 * writes to customers compares it with the current booking, so that no message is sent twice or too late.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table message_templates (
    id uuid primary key default gen_random_uuid(),
    kind text not null unique check (kind in ('booked', 'moved', 'cancelled', 'reminder')),
    is_enabled boolean not null,
    -- Null: as the product has it.
    subject text,
    body text,
    version integer not null default 1
  )`,
  `create trigger message_templates_version before update on message_templates
   for each row when (old.* is distinct from new.*) execute function count_version()`,
  // On a platform with bookings, whose customers have never been written to, messages are off until staff enable them.
  `insert into message_templates (kind, is_enabled)
   select kind, not exists (select from bookings)
     from unnest(array['booked', 'moved', 'cancelled', 'reminder']) as kind`,
  'alter table locations add column reminder_hours smallint check (reminder_hours between 1 and 168)',
  `create table told_bookings (
    booking_id uuid primary key references bookings (id) on delete cascade,
    -- As the customer knows it; null while they know nothing.
    pod_id uuid references pods (id),
    start_time timestamptz,
    end_time timestamptz,
    is_cancelled boolean,
    told_at timestamptz,
    -- The start that a reminder was written for.
    reminded_for timestamptz
  )`,
  // For messages about bookings: the series or booking, each booking as the message describes it, the code and the
  // calendar file.
  `alter table mails
     add column group_id uuid,
     add column bookings jsonb,
     add column code text,
     add column calendar text,
     drop constraint mails_state_check,
     add constraint mails_state_check check (state in ('queued', 'sent', 'failed', 'kept', 'outdated'))`,
  'create index mails_group_idx on mails (group_id, created_at) where group_id is not null',
  // Queues the message, after a pause in which staff may undo the change or make another.
  `create function queue_message() returns trigger language plpgsql as $$
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
     insert into told_bookings (booking_id, pod_id, start_time, end_time, is_cancelled)
     select id,
            case when new.action <> 'create' then coalesce((new.before ->> 'pod_id')::uuid, pod_id) end,
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
  `create trigger audit_messages after insert on audit
   for each row when (
     new.entity = 'booking' and new.action in ('create', 'move', 'cancel', 'reinstate')
     -- Bookings that were loaded in bulk are not news.
     and (new.action <> 'create' or new.actor_kind <> 'system'
          and (new.after ->> 'user_id' is not null or new.after ->> 'company_id' is not null))
   ) execute function queue_message()`,
]
