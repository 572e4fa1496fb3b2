import type { SelectQueryBuilder } from 'kysely'
import type { Db } from '../client.ts'
import { isNarrowed } from '../within-locations.ts'
import { findFuzzyMatches } from './fuzzy-match.ts'
import { hasFilter, type ListOrder, type PageQuery, pageOf, toOffset, toPage } from './pagination.ts'
import { type Counted, countRows, countUpTo, findPageStart, readCount, type Total } from './row-counts.ts'
import { type Search, type SearchedList, searching, selectFoundIds, toSearch } from './search.ts'

type ListPage<DB, TB extends keyof DB, IdsDB, IdsTB extends keyof IdsDB, Row> = {
  list: SearchedList
  order: ListOrder
  /** Selects the ids that the list shows: filtered, and found by the search. */
  ids: (search: Search | undefined) => SelectQueryBuilder<IdsDB, IdsTB, { id: string }>
  /** Selects the rows that a page shows for those ids. */
  rows: SelectQueryBuilder<DB, TB, Row>
  /** The filters as row_counts counts them; undefined when rows have to be counted. */
  counted?: Counted | undefined
  /** Reads the total when row_counts knows part of it. */
  total?: (() => Promise<Total>) | undefined
  /**
   * Set when the unfiltered list shows every row of its table: then the search texts alone give the total of a search.
   */
  isWholeTable?: boolean
}

/** `isFuzzy`: nothing matches the search as spelled, and these rows match it but for a typo. */
export type Page<Row> = { rows: Row[]; total: Total | undefined; isFuzzy: boolean }

/** Reads a page of a list and its total. When nothing is found, searches for names that the search may be a typo of. */
export async function readPage<DB, TB extends keyof DB, IdsDB, IdsTB extends keyof IdsDB, Row>(
  db: Db,
  query: PageQuery & { search?: string | undefined },
  { list, order, ids, rows, counted: known, total, isWholeTable }: ListPage<DB, TB, IdsDB, IdsTB, Row>,
): Promise<Page<Row>> {
  const isOfSome = isNarrowed(db)
  // Only bookings are counted by location.
  const counted = isOfSome && list !== 'bookings' ? undefined : known
  const start = counted && (await findPageStart(db, counted, order, toOffset(query)))
  const count = (search: Search | undefined): Promise<Total> => {
    if (counted) return readCount(db, counted)
    if (total && !isOfSome) return total()
    if (hasFilter(query) || isOfSome) return countUpTo(db, ids(search))
    if (!search) return countRows(ids(search))
    return countUpTo(db, isWholeTable && !search.idPart ? selectFoundIds(list, search) : ids(search))
  }
  const read = async (search: Search | undefined, isFuzzy: boolean): Promise<Page<Row>> => {
    const [page, total] = await Promise.all([
      pageOf(rows, order, toPage(ids(search), order, query, start)).execute(),
      query.withoutTotal ? undefined : count(search),
    ])
    return { rows: page, total, isFuzzy }
  }
  const search = toSearch(query.search)
  if (!search) return read(undefined, false)
  const page = await searching(() => read(search, false))
  const fuzzy = page.total === 0 ? await searching(() => findFuzzyMatches(db, search, list)) : undefined
  const fuzzyPage = fuzzy && (await searching(() => read(fuzzy, true)))
  return fuzzyPage && fuzzyPage.total !== 0 ? fuzzyPage : page
}

/**
 * Returns the search to use for a list whose rows the caller reads itself: with typos when nothing matches as spelled.
 */
export async function chooseSearch(db: Db, list: SearchedList, typed: string | undefined): Promise<Search | undefined> {
  const search = toSearch(typed)
  return search && ((await findFuzzyMatches(db, search, list)) ?? search)
}
