import { type Kysely, sql } from 'kysely'

/**
 * Partitions the history and the log of webhooks by month (docs/decisions/054). The existing table becomes the first
 * partition as it is, with its indexes, so that this takes no longer for a large table. The job `partitions` later ends
 * it at a month and makes the next partitions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...undoneOnce, ...toPartitions('audit', 'at', auditParts), ...auditTriggers])
    await sql.raw(statement).execute(db)
  for (const statement of toPartitions('webhook_deliveries', 'created_at', deliveryParts))
    await sql.raw(statement).execute(db)
}

/**
 * The unique keys of a partitioned table have to include its time, so a table of its own ensures that a change is
 * undone only once.
 */
const undoneOnce = [
  'create table undone_changes (change_id uuid not null)',
  'insert into undone_changes select undoes from audit where undoes is not null',
  'drop index audit_undoes_key',
  // Has the constraint name that servers of the previous release know.
  'alter table undone_changes add constraint audit_undoes_key primary key (change_id)',
]

type Parts = { indexes: Record<string, string>; constraints: string[] }

const auditParts: Parts = {
  indexes: {
    audit_at_idx: 'at, id',
    audit_entity_id_idx: 'entity_id, at, id',
    audit_kind_idx: 'entity, action, at, id',
    audit_actor_idx: 'actor_id, entity, action, at, id',
  },
  constraints: [],
}

const deliveryParts: Parts = {
  indexes: {
    webhook_deliveries_created_idx: 'created_at desc, id desc',
    webhook_deliveries_webhook_idx: 'webhook_id',
  },
  constraints: ['foreign key (webhook_id) references webhooks (id) on delete cascade'],
}

function toPartitions(table: string, time: string, { indexes, constraints }: Parts): string[] {
  const earlier = `${table}_earlier`
  const triggers = table === 'audit' ? ['append_only', 'remember_request', 'messages', 'webhooks'] : []
  return [
    ...triggers.map((name) => `drop trigger ${table}_${name} on ${table}`),
    `alter table ${table} rename to ${earlier}`,
    `alter index ${table}_pkey rename to ${earlier}_pkey`,
    ...Object.keys(indexes).map((name) => `alter index ${name} rename to ${name.replace(table, earlier)}`),
    `create table ${table} (like ${earlier} including defaults including constraints) partition by range (${time})`,
    ...constraints.map((constraint) => `alter table ${table} add ${constraint}`),
    ...Object.entries(indexes).map(([name, columns]) => `create index ${name} on ${table} (${columns})`),
    // The only condition on the rows is that the time is not null, so they are not read.
    `alter table ${table} attach partition ${earlier} for values from (minvalue) to (maxvalue)`,
    // Holds the rows whose month has no partition.
    `create table ${table}_default partition of ${table} (primary key (id)) default`,
  ]
}

const auditTriggers = [
  // Code that may remove rows disables the trigger of the whole table; the triggers of its partitions follow that one.
  `create or replace function refuse_audit_change() returns trigger language plpgsql as $$
   begin
     if exists (
       select from pg_inherits join pg_trigger on tgrelid = inhparent
        where inhrelid = tg_relid and tgname = 'audit_append_only' and tgenabled = 'D'
     ) then
       return null;
     end if;
     raise exception 'Rows of the audit are never changed or removed' using errcode = 'insufficient_privilege';
   end $$`,
  ...['audit', 'audit_earlier', 'audit_default'].map(
    (table) => `create trigger audit_append_only before update or delete or truncate on ${table}
     for each statement execute function refuse_audit_change()`,
  ),

  'create trigger audit_remember_request before insert on audit for each row execute function remember_request()',
  `create trigger audit_webhooks after insert on audit
   referencing new table as added for each statement execute function queue_webhooks()`,
  `create trigger audit_messages after insert on audit
   for each row when (
     new.entity = 'booking' and new.action in ('create', 'move', 'cancel', 'reinstate')
     -- Bookings that were loaded in bulk are not news.
     and (new.action <> 'create' or new.actor_kind <> 'system'
          and (new.after ->> 'user_id' is not null or new.after ->> 'company_id' is not null))
   ) execute function queue_message()`,

  // An archived change stays undone, as an import brings the row again.
  `create function remember_undone() returns trigger language plpgsql as $$
   begin
     if current_setting('podkeeper.importing', true) = 'on' then
       insert into undone_changes (change_id) values (new.undoes) on conflict do nothing;
     else
       insert into undone_changes (change_id) values (new.undoes);
     end if;
     return null;
   end $$`,
  `create trigger audit_undoes after insert on audit
   for each row when (new.undoes is not null) execute function remember_undone()`,
  `create function forget_undone() returns trigger language plpgsql as $$
   begin
     delete from undone_changes;
     return null;
   end $$`,
  'create trigger audit_truncated after truncate on audit for each statement execute function forget_undone()',

  // Only the record's later changes matter: mostly a single partition is read.
  `create or replace function next_change_at(record_id uuid, wanted timestamptz) returns timestamptz language plpgsql volatile as $$
   begin
     return greatest(wanted, (
       select max(at) + interval '1 millisecond' from audit where entity_id = record_id and at >= wanted
     ));
   end $$`,
]
