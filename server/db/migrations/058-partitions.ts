import { type Kysely, sql } from 'kysely'

/**
 * The history and the log of webhooks become tables of partitions by month (docs/decisions/054). What is there becomes the
 * first one as it stands, with its indexes, so that this takes no longer on a large table; the job `partitions` ends it with
 * a month and makes the next ones.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...undoneOnce, ...toPartitions('audit', 'at', auditParts), ...auditTriggers])
    await sql.raw(statement).execute(db)
  for (const statement of toPartitions('webhook_deliveries', 'created_at', deliveryParts))
    await sql.raw(statement).execute(db)
}

/** The keys of a table of partitions have to hold its time: that a change is taken back once is kept by a table of its own. */
const undoneOnce = [
  'create table undone_changes (change_id uuid not null)',
  'insert into undone_changes select undoes from audit where undoes is not null',
  'drop index audit_undoes_key',
  // Of the name that servers of the release before know.
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
    // Not null is all that this asks of its rows: they are not read.
    `alter table ${table} attach partition ${earlier} for values from (minvalue) to (maxvalue)`,
    // Where a row goes whose month has no partition.
    `create table ${table}_default partition of ${table} (primary key (id)) default`,
  ]
}

const auditTriggers = [
  // Whoever may remove rows switches off the trigger of the whole table, which those of its partitions go by.
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

  // What is archived stays taken back: an import brings the row again.
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

  // Of the record's changes only those matter that are later: mostly one partition is looked at.
  `create or replace function next_change_at(record_id uuid, wanted timestamptz) returns timestamptz language plpgsql volatile as $$
   begin
     return greatest(wanted, (
       select max(at) + interval '1 millisecond' from audit where entity_id = record_id and at >= wanted
     ));
   end $$`,
]
