import { type Kysely, sql } from 'kysely'

/** What is blocked is closed until further notice (rules §26.7): adds a closure for every blocked pod and location. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const entity of ['pod', 'location'] as const) await sql.raw(toStatement(entity)).execute(db)
}

/**
 * The closure begins when the record was blocked, by the person and for the reason that the history has. A closure
 * begins by the wall clock of the business, which may be up to twelve hours behind, so it begins at least twelve hours
 * ago: otherwise it might not have begun yet.
 */
function toStatement(entity: 'pod' | 'location'): string {
  return `
    with blocked as (
      select record.id, gen_random_uuid() as closure_id, change.reason, change.actor_id,
             coalesce(change.at, record.created_at) as since
        from ${entity}s as record
        left join lateral (
          select at, reason, (select id from staff where id = actor_id) as actor_id
            from audit where entity = '${entity}' and entity_id = record.id and action = 'block'
           order by at desc limit 1
        ) as change on true
       where record.is_blocked
         and not exists (
           select from closures join closure_instances on closure_id = closures.id
            where ended_at is null and closure_instances.ends = 'infinity' and closure_instances.starts <= now()
              and ${
                entity === 'pod'
                  ? 'closures.id in (select closure_id from closure_pods where pod_id = record.id)'
                  : 'closures.location_id = record.id'
              })
    ), closed as (
      insert into closures (id, location_id, reason, starts, created_by, created_at)
      select closure_id, ${entity === 'location' ? 'id' : 'null'}, coalesce(nullif(reason, ''), 'Blocked'),
             least(since, now() - interval '12 hours'), actor_id, since
        from blocked
      returning id, starts
    ), planned as (
      insert into closure_instances (closure_id, starts, ends) select id, starts, 'infinity' from closed
    )
    ${entity === 'pod' ? 'insert into closure_pods (closure_id, pod_id) select closure_id, id from blocked' : 'select'}`
}
