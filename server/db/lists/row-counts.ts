import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../client.ts'
import type { Database } from '../schema.ts'
import type { CountedTime, ListOrder } from './pagination.ts'

type Line = Database['row_counts']

/** UTC days, from `first` to `last` inclusive. */
type DayRange = { dayOf: CountedTime; first?: string | undefined; last?: string | undefined }

/** What a list is filtered by, as row_counts counts it (migrations 002 and 005). */
export type Counted = {
  list: Line['list']
  status?: string | undefined
  kind?: string | undefined
  days?: DayRange | undefined
}

const monthOf: Record<CountedTime, Line['day_of']> = { created_at: 'created_month', start_time: 'start_month' }

/** How many rows the list has, exactly. */
export function countedRows(counted: Counted): RawBuilder<number> {
  const { days } = counted
  return sql<number>`(
    select coalesce(sum(n), 0)::int from row_counts where ${isOf(counted, days?.dayOf ?? '')} ${within(days)}
  )`
}

/** So many rows are passed over as fast as a start is found. */
const DEEP = 1_000

/**
 * Where a page deep in a list begins. `before` rows stand on days before its own, in the list's direction; it begins at
 * most at `bound`, the instant at which those days end.
 */
export type PageStart = { before: number; bound: Date }

/**
 * The start of a page that lies deep in an order by a counted time, found by way of its month; within given days, by all
 * of these. Undefined for other pages, and beyond the last row.
 */
export async function findPageStart(
  db: Db,
  counted: Counted,
  { countedTime, direction }: ListOrder,
  offset: number,
): Promise<PageStart | undefined> {
  const { days } = counted
  if (offset < DEEP || countedTime === undefined || (days && days.dayOf !== countedTime)) return undefined
  /** Of the days (or months), the one that the page begins in, and how many rows come before it. */
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

/** How many rows the query has, by reading them: for a query of several counts. */
export function countOf<DB, TB extends keyof DB>(rows: SelectQueryBuilder<DB, TB, object>): RawBuilder<number> {
  return sql`${toCount(rows)}`
}

/** The same by a query of its own. */
export async function countRows<DB, TB extends keyof DB>(rows: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  return ((await toCount(rows).executeTakeFirstOrThrow()) as { total: number }).total
}

export const MAX_COUNTED = 10_000

/** How many there are: exactly, or that they are more than is counted by reading, as X-Total-Count says it. */
export type Total = number | `${typeof MAX_COUNTED}+`

/** Of what no line counts, as a search: `rows` is the query of them, without a limit. */
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
 * Lines of one kind are added up into one, and dropped where they come to nothing. Safe beside writers and beside
 * another server that does the same: each adds up only what it has itself removed. Answers with how many lines it took.
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
