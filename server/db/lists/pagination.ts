import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { DEFAULT_PAGE_SIZE } from '#contract/page-size.ts'
import { createBoundedQueue } from '#server/bounded-queue.ts'
import type { PageStart } from './row-counts.ts'

/** The order of a list, made unique by the id so that no row is on two pages or on none. */
export type ListOrder = {
  by: RawBuilder<unknown>
  /** Type of `by`: keys are passed as text, because a Date would lose the microseconds of a timestamp. */
  type: 'timestamptz' | 'text' | 'integer' | 'numeric'
  id: RawBuilder<unknown>
  direction: 'asc' | 'desc'
  /** The time column of the order, if row_counts counts by its days: used to find a page deep in the list. */
  countedTime?: CountedTime
}

export type CountedTime = 'created_at' | 'start_time'

/** Rows per batch: enough to make a round trip cheap, few enough to keep others from waiting. */
export const BATCH_ROWS = 1000

/**
 * Returns the order for `name` or `-name`, as in the query, from a table of fields; `fallback` when `sort` is
 * undefined.
 */
export function toListOrder<Name extends string>(
  fields: Record<Name, Omit<ListOrder, 'direction'>>,
  sort: Name | `-${Name}` | undefined,
  fallback: Name | `-${Name}`,
): ListOrder {
  const chosen = sort ?? fallback
  const isDescending = chosen.startsWith('-')
  const name = (isDescending ? chosen.slice(1) : chosen) as Name // a template literal loses its sign
  return { ...fields[name], direction: isDescending ? 'desc' : 'asc' }
}

/** Sorts text as people expect, 'é' beside 'e' and 'Z' after 'a', and the same on both engines. */
export function byText(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${text} collate "und-x-icu"`
}

export type PageQuery = {
  page?: number | undefined
  limit?: number | undefined
  /** For callers that get the total elsewhere. */
  withoutTotal?: true
}

/** The query parameters that choose a part of the list or its order, or that search, rather than filter it. */
const notFilters: ReadonlySet<string> = new Set(['page', 'limit', 'sort', 'search', 'withoutTotal'])

export function hasFilter(query: PageQuery): boolean {
  return Object.entries(query).some(([name, value]) => value !== undefined && !notFilters.has(name))
}

/** Whether the query is for the first page of the whole list, as most requests are: a short read. */
export function isFirstPage(query: PageQuery & { search?: string | undefined }): boolean {
  return isPage(query) && (query.page ?? 1) === 1 && !query.search && !hasFilter(query)
}

/** Whether the query names a page or its size; otherwise it asks for the whole list. */
export function isPage({ page, limit }: PageQuery): boolean {
  return page !== undefined || limit !== undefined
}

/**
 * Returns the query for one page, which begins at `start` if given. The limit is a literal: as a parameter it would
 * cost the prepared statement its generic plan. The first page of everything has no parameters at all, so it is planned
 * once per connection. A filtered page keeps its offset parameter even when that is 0: as long as PostgreSQL cannot
 * know the offset, it plans for the values at hand.
 */
export function toPage<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  order: ListOrder,
  query: PageQuery,
  start?: PageStart,
): SelectQueryBuilder<DB, TB, Row> {
  const sign = sql.raw(order.direction === 'asc' ? '>=' : '<')
  const page = inOrder(start ? rows.where(sql<boolean>`${order.by} ${sign} ${start.bound}`) : rows, order).limit(
    sql.lit(query.limit ?? DEFAULT_PAGE_SIZE),
  )
  const offset = toOffset(query) - (start?.before ?? 0)
  return offset === 0 && page.compile().parameters.length === 0 ? page : page.offset(offset)
}

/**
 * Returns the rows whose ids `ids` selects, in the list's order. As an array they are a single value to the planner: a
 * subquery would be one more table to order the joins by, and planning takes longer than reading a page.
 */
export function pageOf<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  order: ListOrder,
  ids: Expression<unknown>,
): SelectQueryBuilder<DB, TB, Row> {
  return inOrder(rows.where(sql<boolean>`${order.id} = any(array(${ids}))`), order)
}

/** Returns the number of rows before the page. */
export function toOffset({ page = 1, limit = DEFAULT_PAGE_SIZE }: PageQuery): number {
  return (page - 1) * limit
}

/** Skipping as many rows takes up to some seconds in a list of millions. */
const MANY_ROWS = 10_000

const inTurn = createBoundedQueue({ atOnce: 1, waiting: 20 })

/** Reads a page before which so many rows are skipped; one deep page at a time, so that others wait for none. */
export function readInTurn<T>(skipped: number, read: () => Promise<T>): Promise<T> {
  return skipped < MANY_ROWS ? read() : inTurn(read)
}

/**
 * Yields all rows of the query, or only those whose ids `ids` selects, in batches, each starting after the last key of
 * the previous one. Between batches neither a connection nor a cursor is held, however slow the reader. Rows that exist
 * from beginning to end come exactly once.
 */
export async function* toBatches<DB, TB extends keyof DB, IdsDB, IdsTB extends keyof IdsDB, Row extends { id: string }>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  order: ListOrder,
  {
    ids,
    batchRows = BATCH_ROWS,
  }: { ids?: SelectQueryBuilder<IdsDB, IdsTB, { id: string }>; batchRows?: number | undefined } = {},
): AsyncGenerator<Row[], void, void> {
  const keyed = rows.select(sql<string>`(${order.by})::text`.as('list_key'))
  const limit = sql.lit(batchRows)
  let after: Place | undefined
  for (;;) {
    const next = ids
      ? pageOf(keyed, order, inOrderAfter(ids, order, after).limit(limit))
      : inOrderAfter(keyed, order, after).limit(limit)
    // The builder's type cannot show that the added column leaves the others as they were.
    const batch = (await next.execute()) as (Row & { list_key: string })[]
    if (batch.length > 0) yield batch
    after = batch.at(-1)
    if (!after || batch.length < batchRows) return
  }
}

function inOrder<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  order: ListOrder,
): SelectQueryBuilder<DB, TB, Row> {
  return rows.orderBy(order.by, order.direction).orderBy(order.id, order.direction)
}

/** A row's place in the order: its key as text, and its id. */
export type Place = { list_key: string; id: string }

/** Returns the rows after the given place in the order; all rows without one. */
export function inOrderAfter<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  order: ListOrder,
  after: Place | undefined,
): SelectQueryBuilder<DB, TB, Row> {
  const sign = order.direction === 'asc' ? '>' : '<'
  return inOrder(after ? rows.where(compareTo(order, sign, after)) : rows, order)
}

function compareTo(order: ListOrder, sign: string, { list_key, id }: Place): RawBuilder<boolean> {
  return sql<boolean>`(${order.by}, ${order.id}) ${sql.raw(sign)} (${list_key}::${sql.raw(order.type)}, ${id}::uuid)`
}
