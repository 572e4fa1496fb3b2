import { type Kysely, sql } from 'kysely'

/** Tells other systems of changes: each row of the audit queues its deliveries, in the transaction that writes it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** The entities and actions that webhooks are told of, and the event's word for each action. */
const entities = ['booking', 'pod', 'location', 'feature', 'customer', 'transaction']
export const eventWords = {
  create: 'created',
  edit: 'changed',
  advance: 'changed',
  reinstate: 'changed',
  cancel: 'cancelled',
  delete: 'deleted',
  restore: 'restored',
  block: 'blocked',
  unblock: 'unblocked',
}

const statements = [
  `create table webhooks (
    id uuid primary key,
    url text not null,
    events text[] not null,
    secret text not null,
    is_enabled boolean not null default true,
    created_at timestamptz not null
  )`,
  `create table webhook_deliveries (
    id uuid primary key default gen_random_uuid(),
    webhook_id uuid not null references webhooks (id) on delete cascade,
    event text not null,
    body text not null,
    state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
    tries integer not null default 0,
    response text,
    created_at timestamptz not null,
    sent_at timestamptz
  )`,
  'create index webhook_deliveries_created_idx on webhook_deliveries (created_at desc, id desc)',
  'create index webhook_deliveries_webhook_idx on webhook_deliveries (webhook_id)',
  toQueueWebhooks(eventWords),
  `create trigger audit_webhooks after insert on audit
   referencing new table as added for each statement execute function queue_webhooks()`,
]

/** Returns the trigger function, which skips imports: they bring back rows that were told of when they were new. */
export function toQueueWebhooks(words: Readonly<Record<string, string>>): string {
  return `create or replace function queue_webhooks() returns trigger language plpgsql as $$
 begin
   if not exists (select from webhooks where is_enabled) or current_setting('podkeeper.importing', true) = 'on' then
     return null;
   end if;
   with told as (
     select added.*, words.word
       from added join (values ${Object.entries(words)
         .map(([action, word]) => `('${action}', '${word}')`)
         .join(', ')}) as words (action, word) on words.action = added.action
      where added.entity in (${entities.map((name) => `'${name}'`).join(', ')})
   ), queued as (
     insert into webhook_deliveries (webhook_id, event, body, created_at)
     select webhooks.id, entity || '.' || word,
            jsonb_build_object('type', entity || '.' || word, 'timestamp', to_jsonb(at),
              'data', jsonb_build_object('id', entity_id, 'version', version, 'before', before, 'after', after))::text,
            at
       from told join webhooks on is_enabled and events && array[entity || '.*', entity || '.' || word]
     returning id, created_at
   )
   insert into jobs (kind, key, payload, run_at, max_tries)
   select 'webhook', 'webhook ' || id, jsonb_build_object('deliveryId', id), created_at, 10 from queued;
   return null;
 end $$`
}
