import { type Kysely, sql } from 'kysely'

/**
 * Finding a page deep in a list adds up a year of days: ten thousand lines by status and location. With lines for whole
 * months it adds up the months before the page's own and only the days of that month: a tenth as many.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const NO_DAY = `('', date '-infinity')`

const daysOf = (column: string, dayOf: string, monthOf: string) => `
    ('${dayOf}', (changed.${column} at time zone 'UTC')::date),
    ('${monthOf}', date_trunc('month', changed.${column} at time zone 'UTC')::date)`

type Counted = { table: string; columns: string; days: string; status: string; kind: string; where: string }

const CREATED = `${NO_DAY},${daysOf('created_at', 'created_at', 'created_month')}`

const counted: Counted[] = [
  {
    table: 'bookings',
    columns: 'location_id, status, created_at, start_time',
    days: `${CREATED},${daysOf('start_time', 'start_time', 'start_month')}`,
    status: 'changed.status',
    kind: 'changed.location_id::text',
    where: 'true',
  },
  {
    table: 'transactions',
    columns: 'payment_facilitator, status, created_at',
    days: CREATED,
    status: 'changed.status',
    kind: 'changed.payment_facilitator',
    where: 'true',
  },
  {
    table: 'users',
    columns: 'is_blocked, deleted_at, created_at',
    days: CREATED,
    status: `case when changed.is_blocked then 'blocked' else 'active' end`,
    kind: `''::text`,
    where: 'changed.deleted_at is null',
  },
]

/** Returns the function that migration 002's triggers call, changed only by the months. */
function toFunction({ table, columns, days, status, kind, where }: Counted): string {
  const insert = (changed: string) => `
    insert into row_counts (list, day_of, day, status, kind, n)
    select '${table}', days.day_of, days.day, ${status}, ${kind}, sum(changed.sign)
      from (${changed}) as changed cross join lateral (values ${days}) as days (day_of, day)
     where ${where}
     group by days.day_of, days.day, ${status}, ${kind}
    having sum(changed.sign) <> 0`
  const added = `select 1 as sign, ${columns} from added`
  const removed = `select -1 as sign, ${columns} from removed`
  return `
    create or replace function count_${table}() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then ${insert(added)};
      elsif tg_op = 'DELETE' then ${insert(removed)};
      elsif tg_op = 'UPDATE' then ${insert(`${added} union all ${removed}`)};
      else delete from row_counts where list = '${table}';
      end if;
      return null;
    end $$`
}

const statements = [
  // Another server may be writing: this lock ensures that what it commits is counted by either the old function or the
  // new one.
  'lock table bookings, transactions, users in share row exclusive mode',
  ...counted.map(toFunction),
  `insert into row_counts (list, day_of, day, status, kind, n)
   select list, case day_of when 'created_at' then 'created_month' else 'start_month' end,
          date_trunc('month', day)::date as month, status, kind, sum(n)
     from row_counts
    where day_of in ('created_at', 'start_time')
    group by list, day_of, month, status, kind
   having sum(n) <> 0`,
]
