import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { DEFAULT_PAGE_SIZE } from '#contract/fields.ts'
import type { PageStart } from './row-counts.ts'

/** The order of a list, made unique by its id so that no row is on two pages or on none. */
export type ListOrder = {
  by: RawBuilder<unknown>
  /** Type of `by`: a key travels as text, because a Date would lose the microseconds of a timestamp. */
  type: 'timestamptz' | 'text' | 'integer' | 'numeric'
  id: RawBuilder<unknown>
  direction: 'asc' | 'desc'
  /** The time that it goes by, where row_counts counts by its days: a page deep in the list is found by them. */
  countedTime?: CountedTime
}

export type CountedTime = 'created_at' | 'start_time'

/** Rows of a batch: enough to make a round trip cheap, few enough to keep others from waiting. */
const BATCH_ROWS = 1000

/** `name` or `-name`, as the query says it, by a table of what each name means; without one, `fallback`. */
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

/** What people read is sorted as they expect it, 'é' beside 'e' and 'Z' after 'a', on both engines alike. */
export function byText(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${text} collate "und-x-icu"`
}

export type PageQuery = {
  page?: number | undefined
  limit?: number | undefined
  /** For who has the total from elsewhere. */
  withoutTotal?: true
}

/** What of a query says which part of a list is shown, and how. */
const notFilters: ReadonlySet<string> = new Set(['page', 'limit', 'sort', 'search', 'withoutTotal'])

export function hasFilter(query: PageQuery): boolean {
  return Object.entries(query).some(([name, value]) => value !== undefined && !notFilters.has(name))
}

/** The first page of the whole list, for which most requests ask: a short read. */
export function isFirstPage(query: PageQuery & { search?: string | undefined }): boolean {
  return (query.page ?? 1) === 1 && !query.search && !hasFilter(query)
}

/** Whoever names a page or its size wants a page; others want the whole list. */
export function isPage({ page, limit }: PageQuery): boolean {
  return page !== undefined || limit !== undefined
}

/**
 * One page of the query, which begins at `start` where that is known. Its limit is a literal: with a parameter the named
 * statement would lose its plan. The first page of everything has no parameter at all, and so is planned once a
 * connection. A filtered one keeps its offset: PostgreSQL plans for the values at hand as long as it cannot know that.
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
 * The rows whose ids `ids` selects, in the list's order. As an array they are one value to the planner: a subquery would
 * be one more table to order the joins by, and planning takes longer than reading a page does.
 */
export function pageOf<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  order: ListOrder,
  ids: Expression<unknown>,
): SelectQueryBuilder<DB, TB, Row> {
  return inOrder(rows.where(sql<boolean>`${order.id} = any(array(${ids}))`), order)
}

/** Rows before the page. */
export function toOffset({ page = 1, limit = DEFAULT_PAGE_SIZE }: PageQuery): number {
  return (page - 1) * limit
}

/**
 * All rows of the query in batches, each found by the last key of the one before. Between two batches nothing is held,
 * neither a connection nor a cursor, however slow the reader. Rows that are there from beginning to end come exactly once.
 */
export async function* toBatches<DB, TB extends keyof DB, Row extends { id: string }>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  order: ListOrder,
  batchRows = BATCH_ROWS,
): AsyncGenerator<Row[], void, void> {
  const keyed = rows.select(sql<string>`(${order.by})::text`.as('list_key')).limit(sql.lit(batchRows))
  let after: Place | undefined
  for (;;) {
    // The builder cannot show that the added column leaves the others as they were.
    const batch = (await inOrderAfter(keyed, order, after).execute()) as (Row & { list_key: string })[]
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

/** Those that come after the place; all without one. */
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
