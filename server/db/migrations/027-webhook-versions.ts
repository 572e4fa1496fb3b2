import { type Kysely, sql } from 'kysely'

/**
 * Makes webhooks records like others: they count their versions, and a deleted one can be restored. Any action on a
 * record that has no word of its own is told as `changed`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'alter table webhooks add column version integer not null default 1, add column deleted_at timestamptz',
  `create trigger webhooks_version before update on webhooks
   for each row when (old.* is distinct from new.*) execute function count_version()`,
  // Only changes of records have a version. An import brings back rows that were told of when they were new.
  `create or replace function queue_webhooks() returns trigger language plpgsql as $$
   begin
     if not exists (select from webhooks where is_enabled and deleted_at is null)
        or current_setting('podkeeper.importing', true) = 'on' then
       return null;
     end if;
     with told as (
       select added.*, entity || '.' || case action
                when 'create' then 'created'
                when 'cancel' then 'cancelled'
                when 'delete' then 'deleted'
                when 'restore' then 'restored'
                when 'block' then 'blocked'
                when 'unblock' then 'unblocked'
                else 'changed' end as event
         from added
        where entity in ('booking', 'pod', 'location', 'feature', 'customer', 'company', 'transaction') and version is not null
     ), queued as (
       insert into webhook_deliveries (webhook_id, event, body, created_at)
       select webhooks.id, event,
              jsonb_build_object('type', event, 'timestamp', to_jsonb(at),
                'data', jsonb_build_object('id', entity_id, 'version', told.version, 'before', before, 'after', after))::text,
              at
         from told join webhooks on is_enabled and deleted_at is null and events && array[entity || '.*', event]
       returning id, created_at
     )
     insert into jobs (kind, key, payload, run_at, max_tries)
     select 'webhook', 'webhook ' || id, jsonb_build_object('deliveryId', id), created_at, 10 from queued;
     return null;
   end $$`,
]
