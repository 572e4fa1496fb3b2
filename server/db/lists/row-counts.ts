import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../client.ts'
import type { Database } from '../schema.ts'
import type { CountedTime, ListOrder } from './pagination.ts'

type Line = Database['row_counts']

/** UTC days from `first` to `last`, inclusive. */
type DayRange = { dayOf: CountedTime; first?: string | undefined; last?: string | undefined }

/** The filters of a list that row_counts counts by (migrations 002 and 005). */
export type Counted = {
  list: Line['list']
  status?: string | undefined
  kind?: string | undefined
  days?: DayRange | undefined
}

const monthOf: Record<CountedTime, Line['day_of']> = { created_at: 'created_month', start_time: 'start_month' }

/** Returns the expression for the exact number of the list's rows. */
export function countedRows(counted: Counted): RawBuilder<number> {
  const { days } = counted
  return sql<number>`(
    select coalesce(sum(n), 0)::int from row_counts where ${isOf(counted, days?.dayOf ?? '')} ${within(days)}
  )`
}

/** Skipping this many rows takes as long as finding a start. */
const DEEP = 1_000

/**
 * Where a page deep in a list begins: `before` rows are on the days before its own, in the list's direction, and those
 * days end at the instant `bound`.
 */
export type PageStart = { before: number; bound: Date }

/**
 * Finds the start of a page deep in a list that is ordered by a counted time: by way of its month, or among all given
 * days. Undefined for other pages, and beyond the last row.
 */
export async function findPageStart(
  db: Db,
  counted: Counted,
  { countedTime, direction }: ListOrder,
  offset: number,
): Promise<PageStart | undefined> {
  const { days } = counted
  if (offset < DEEP || countedTime === undefined || (days && days.dayOf !== countedTime)) return undefined
  /** Selects the day (or month) in which the page begins, and the number of rows before it. */
  const find = (dayOf: Line['day_of'], those: RawBuilder<unknown>, before: RawBuilder<unknown>) => sql`
    select day, before from (
      select day, sum(n) as n,
             ${before} + sum(sum(n)) over (order by day ${sql.raw(direction)}) - sum(n) as before
        from row_counts
       where ${isOf(counted, dayOf)} ${those}
       group by day
    ) as days
    where before <= ${offset} and before + n > ${offset}`
  const month = find(monthOf[countedTime], sql``, sql`0`)
  const ofMonth = sql`and day >= (select day from month) and day < (select day + interval '1 month' from month)`
  const day = days
    ? find(countedTime, within(days), sql`0`)
    : sql`with month as (${month}) ${find(countedTime, ofMonth, sql`(select before from month)`)}`
  const { rows } = await sql<PageStart>`
    select before::int as before,
           (day + ${sql.lit(direction === 'desc' ? 1 : 0)})::timestamp at time zone 'UTC' as bound
      from (${day}) as day
  `.execute(db)
  return rows[0]
}

export async function readCount(db: Db, counted: Counted): Promise<number> {
  const { rows } = await sql<{ total: number }>`select ${countedRows(counted)} as total`.execute(db)
  return rows[0]?.total ?? 0
}

/** Returns the expression that counts the query's rows by reading them, for use in a query with several counts. */
export function countOf<DB, TB extends keyof DB>(rows: SelectQueryBuilder<DB, TB, object>): RawBuilder<number> {
  return sql`${toCount(rows)}`
}

/** Counts the query's rows by reading them, in a query of its own. */
export async function countRows<DB, TB extends keyof DB>(rows: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  return ((await toCount(rows).executeTakeFirstOrThrow()) as { total: number }).total
}

export const MAX_COUNTED = 10_000

/** The exact number of rows, or that there are more than are counted by reading; sent as X-Total-Count. */
export type Total = number | `${typeof MAX_COUNTED}+`

/** Counts rows that row_counts does not count, such as a search's; `rows` is their query, without a limit. */
export async function countUpTo(db: Db, rows: Expression<unknown>): Promise<Total> {
  const { rows: counted } = await sql<{ total: number }>`
    select count(*) as total from (select from (${rows}) as rows limit ${sql.lit(MAX_COUNTED + 1)}) as counted`.execute(
    db,
  )
  const total = counted[0]?.total ?? 0
  return total > MAX_COUNTED ? `${MAX_COUNTED}+` : total
}

function toCount<DB, TB extends keyof DB>(rows: SelectQueryBuilder<DB, TB, object>) {
  return rows.clearSelect().select(sql<number>`count(*)`.as('total'))
}

/**
 * Folds the lines of one kind into one, and drops those that add up to zero. Safe while others write, and while another
 * server folds: each adds up only the lines that it has removed itself. Returns the number of lines removed.
 */
export async function foldRowCounts(db: Db): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with crowded as (
      select list, day_of, day, status, kind from row_counts
       group by list, day_of, day, status, kind
      having count(*) > 1
    ), removed as (
      delete from row_counts using crowded
       where row_counts.list = crowded.list and row_counts.day_of = crowded.day_of and row_counts.day = crowded.day
         and row_counts.status = crowded.status and row_counts.kind = crowded.kind
      returning row_counts.*
    ), added as (
      insert into row_counts (list, day_of, day, status, kind, n)
      select list, day_of, day, status, kind, sum(n) from removed
       group by list, day_of, day, status, kind
      having sum(n) <> 0
    )
    select count(*) as removed from removed
  `.execute(db)
  return rows[0]?.removed ?? 0
}

function isOf({ list, status, kind }: Counted, dayOf: Line['day_of']): RawBuilder<boolean> {
  return sql`list = ${list} and day_of = ${dayOf}
    ${status === undefined ? sql`` : sql`and status = ${status}`} ${kind === undefined ? sql`` : sql`and kind = ${kind}`}`
}

function within(days: DayRange | undefined): RawBuilder<unknown> {
  return sql`${days?.first === undefined ? sql`` : sql`and day >= ${days.first}::date`}
    ${days?.last === undefined ? sql`` : sql`and day <= ${days.last}::date`}`
}
