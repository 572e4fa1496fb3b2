import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../client.ts'
import { type ListOrder, type PageQuery, readInTurn, toOffset, toPage } from './pagination.ts'
import { countUpTo, type Total } from './row-counts.ts'
import { toSearchText } from './search-words.ts'
import { toLikePattern } from './search.ts'

/** Reads a page of a list without precomputed counts, and its total. */
export async function readPlainPage<DB, TB extends keyof DB, Row>(
  db: Db,
  rows: SelectQueryBuilder<DB, TB, Row>,
  order: ListOrder,
  query: PageQuery,
): Promise<{ rows: Row[]; total: Total }> {
  const [page, total] = await Promise.all([
    readInTurn(toOffset(query), () => toPage(rows, order, query).execute()),
    countUpTo(db, rows),
  ])
  return { rows: page, total }
}

/** Returns the condition that a text contains every typed word (at most six), whatever their case and accents. */
export function hasWords(text: RawBuilder<unknown>, typed = ''): RawBuilder<boolean> {
  const words = toSearchText(typed).split(/\s+/).filter(Boolean).slice(0, 6)
  const has = words.map((word) => sql`search_text(${text}) like ${toLikePattern(word)}`)
  return has.length === 0 ? sql`true` : sql`${sql.join(has, sql` and `)}`
}
