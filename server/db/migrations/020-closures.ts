import { type Kysely, sql } from 'kysely'

/** Adds the times in which pods cannot be used, with the reason (rules §26.5). */
const statements = [
  `create table closures (
    id uuid primary key,
    -- A whole location, with every pod that is there then; else the pods of closure_pods.
    location_id uuid references locations (id),
    reason text not null,
    -- Wall clock labelled Z; without an end until further notice.
    starts timestamptz not null,
    ends timestamptz,
    rrule text,
    created_by uuid references staff (id),
    ended_at timestamptz,
    created_at timestamptz not null default now(),
    version integer not null default 1,
    check (ends > starts),
    check (rrule is null or ends is not null)
  )`,
  'create index closures_starts_idx on closures (starts desc, id desc)',
  'create index closures_location_idx on closures (location_id) where location_id is not null',
  `create trigger closures_version before update on closures
   for each row when (old.* is distinct from new.*) execute function count_version()`,
  `create table closure_pods (
    closure_id uuid not null references closures (id) on delete cascade,
    pod_id uuid not null references pods (id),
    primary key (closure_id, pod_id)
  )`,
  'create index closure_pods_pod_idx on closure_pods (pod_id)',
  // Each occurrence of a closure, for a year ahead; `ends` is 'infinity' until further notice.
  `create table closure_instances (
    closure_id uuid not null references closures (id) on delete cascade,
    starts timestamptz not null,
    ends timestamptz not null,
    primary key (closure_id, starts),
    check (ends > starts)
  )`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
