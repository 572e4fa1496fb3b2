import { type Kysely, sql } from 'kysely'

/**
 * Every change adds a row that nobody can alter (docs/decisions/020), every record counts its versions, and a deleted
 * feature is hidden rather than removed, so that it can be restored.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const withoutTime = "(to_jsonb(old) - 'updated_at') is distinct from (to_jsonb(new) - 'updated_at')"

/**
 * A row gets a new version when it changes. The time of its update does not count, nor does a feature's position, which
 * also changes when another feature is put before it.
 */
const versioned: Record<string, string> = {
  staff: withoutTime,
  users: 'old.* is distinct from new.*',
  locations: 'old.* is distinct from new.*',
  features:
    '(old.name, old.icon, old.is_blocked, old.deleted_at) is distinct from (new.name, new.icon, new.is_blocked, new.deleted_at)',
  pods: withoutTime,
  bookings: 'old.* is distinct from new.*',
  transactions: 'old.* is distinct from new.*',
  pricing: withoutTime,
}

const statements = [
  'alter table features add column deleted_at timestamptz',
  'alter table features drop constraint features_position_key',
  `alter table features add constraint features_position_key
     exclude (position with =) where (deleted_at is null) deferrable`,

  `create function count_version() returns trigger language plpgsql as $$
   begin
     new.version := old.version + 1;
     return new;
   end $$`,
  ...Object.entries(versioned).flatMap(([table, isChanged]) => [
    `alter table ${table} add column version integer not null default 1`,
    `create trigger ${table}_version before update on ${table}
     for each row when (${isChanged}) execute function count_version()`,
  ]),

  `create table audit (
    id uuid primary key default gen_random_uuid(),
    at timestamptz not null,
    actor_kind text not null check (actor_kind in ('staff', 'system', 'customer', 'provider')),
    actor_id uuid,
    address text,
    request_id text,
    action text not null,
    entity text not null,
    entity_id uuid,
    label text not null default '',
    version integer,
    before jsonb,
    after jsonb,
    reason text,
    undoes uuid
  )`,
  'create index audit_at_idx on audit (at, id)',
  'create index audit_entity_id_idx on audit (entity_id, at, id)',
  // A filter by some kinds of change reads their ranges side by side, each in order of time.
  'create index audit_kind_idx on audit (entity, action, at, id)',
  'create index audit_actor_idx on audit (actor_id, entity, action, at, id)',
  'create unique index audit_undoes_key on audit (undoes) where undoes is not null',

  `create function refuse_audit_change() returns trigger language plpgsql as $$
   begin
     raise exception 'Rows of the audit are never changed or removed' using errcode = 'insufficient_privilege';
   end $$`,
  `create trigger audit_append_only before update or delete or truncate on audit
   for each statement execute function refuse_audit_change()`,
]
