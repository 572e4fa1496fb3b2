import { type Kysely, sql } from 'kysely'

/**
 * Counts the rows of lists, by their filters and by day, so that an exact total and the way to a page in the middle are
 * read from a few hundred rows instead of a million.
 *
 * Triggers keep the counts right, within the transaction of the change, whoever makes it. They only ever add lines: `n`
 * is +1, −1 or a sum, and the sum of the lines is the count, so that no two transactions wait for the same line. A job
 * folds the lines of one kind together.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const BOOKING = `
  cross join lateral (values
    ('', date '-infinity'),
    ('created_at', (changed.created_at at time zone 'UTC')::date),
    ('start_time', (changed.start_time at time zone 'UTC')::date)
  ) as days (day_of, day)`

const TRANSACTION = `
  cross join lateral (values
    ('', date '-infinity'),
    ('created_at', (changed.created_at at time zone 'UTC')::date)
  ) as days (day_of, day)`

type Counted = { table: string; columns: string; days: string; status: string; kind: string; where: string }

const counted: Counted[] = [
  {
    table: 'bookings',
    columns: 'location_id, status, created_at, start_time',
    days: BOOKING,
    status: 'changed.status',
    kind: 'changed.location_id::text',
    where: 'true',
  },
  {
    table: 'transactions',
    columns: 'payment_facilitator, status, created_at',
    days: TRANSACTION,
    status: 'changed.status',
    kind: 'changed.payment_facilitator',
    where: 'true',
  },
  {
    table: 'users',
    columns: 'is_blocked, deleted_at, created_at',
    days: TRANSACTION,
    status: `case when changed.is_blocked then 'blocked' else 'active' end`,
    kind: `''::text`,
    where: 'changed.deleted_at is null',
  },
]

function toInsert({ table, days, status, kind, where }: Counted, changed: string): string {
  return `
    insert into row_counts (list, day_of, day, status, kind, n)
    select '${table}', days.day_of, days.day, ${status}, ${kind}, sum(changed.sign)
      from ${changed} ${days}
     where ${where}
     group by days.day_of, days.day, ${status}, ${kind}
    having sum(changed.sign) <> 0`
}

function toStatements(list: Counted): string[] {
  const { table, columns } = list
  const added = `select 1 as sign, ${columns} from added`
  const removed = `select -1 as sign, ${columns} from removed`
  return [
    `create function count_${table}() returns trigger language plpgsql as $$
     begin
       if tg_op = 'INSERT' then ${toInsert(list, `(${added}) as changed`)};
       elsif tg_op = 'DELETE' then ${toInsert(list, `(${removed}) as changed`)};
       elsif tg_op = 'UPDATE' then ${toInsert(list, `(${added} union all ${removed}) as changed`)};
       else delete from row_counts where list = '${table}';
       end if;
       return null;
     end $$`,
    `create trigger ${table}_count_insert after insert on ${table}
     referencing new table as added for each statement execute function count_${table}()`,
    `create trigger ${table}_count_update after update on ${table}
     referencing new table as added old table as removed for each statement execute function count_${table}()`,
    `create trigger ${table}_count_delete after delete on ${table}
     referencing old table as removed for each statement execute function count_${table}()`,
    `create trigger ${table}_count_truncate after truncate on ${table}
     for each statement execute function count_${table}()`,
    // Counts the existing rows.
    toInsert(list, `(select 1 as sign, ${columns} from ${table}) as changed`),
  ]
}

const statements = [
  // No column is null, so that lines of one kind are found by equality. `kind`: a booking's location, a transaction's
  // facilitator.
  `create table row_counts (
    list text not null,
    day_of text not null,
    day date not null,
    status text not null,
    kind text not null,
    n integer not null
  )`,
  // For totals, which have no day, and for the days of a list.
  'create index row_counts_list_idx on row_counts (list, day_of, day)',
  ...counted.flatMap(toStatements),
]
