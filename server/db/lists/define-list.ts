import type { SelectQueryBuilder } from 'kysely'
import pLimit from 'p-limit'
import type { Db } from '../client.ts'
import { isNarrowed } from '../within-locations.ts'
import { findFuzzyMatches } from './fuzzy-match.ts'
import {
  hasFilter,
  type ListOrder,
  type PageQuery,
  pageOf,
  readInTurn,
  toBatches,
  toOffset,
  toPage,
} from './pagination.ts'
import { type Counted, countRows, countUpTo, findPageStart, readCount, type Total } from './row-counts.ts'
import { type Search, type SearchedList, searching, selectFoundIds, toSearch } from './search.ts'

type Definition<DB, TB extends keyof DB, IdsDB, IdsTB extends keyof IdsDB, Row, Item> = {
  list: SearchedList
  order: ListOrder
  /** Selects the ids that the list shows: filtered, and found by the search. */
  ids: (search: Search | undefined) => SelectQueryBuilder<IdsDB, IdsTB, { id: string }>
  /** Selects the rows that are shown for those ids. */
  rows: SelectQueryBuilder<DB, TB, Row>
  toItem: (row: Row) => Item
  /** The filters as row_counts counts them; undefined when rows have to be counted. */
  counted?: Counted | undefined
  /** Reads the total when row_counts knows part of it. */
  total?: (() => Promise<Total>) | undefined
  /**
   * Set when the unfiltered list shows every row of its table: then the search texts alone give the total of a search.
   */
  isWholeTable?: boolean
  /** When the rows are large: how many are read at a time for the whole list. */
  batchRows?: number
}

/** `isFuzzy`: nothing matches the search as spelled, and these rows match it but for a typo. */
type Page<Item> = { rows: Item[]; total: Total | undefined; isFuzzy: boolean }

/** A list in an order, filtered and searched. */
export type List<Item> = {
  /** Reads a page and the total. When nothing is found, searches for names that the search may be a typo of. */
  readPage: () => Promise<Page<Item>>
  /** Yields the whole list. */
  readBatches: () => AsyncGenerator<Item[]>
}

/** Each server reads one batch at a time, however many whole lists are being sent, as it does with files. */
const batchInTurn = pLimit(1)

export function defineList<DB, TB extends keyof DB, IdsDB, IdsTB extends keyof IdsDB, Row extends { id: string }, Item>(
  db: Db,
  query: PageQuery & { search?: string | undefined },
  definition: Definition<DB, TB, IdsDB, IdsTB, Row, Item>,
): List<Item> {
  const { list, order, ids, rows, toItem, total } = definition
  const isOfSome = isNarrowed(db)
  // Only bookings are counted by location.
  const counted = isOfSome && list !== 'bookings' ? undefined : definition.counted

  const count = (search: Search | undefined): Promise<Total> => {
    if (counted) return readCount(db, counted)
    if (total && !isOfSome) return total()
    if (hasFilter(query) || isOfSome) return countUpTo(db, ids(search))
    if (!search) return countRows(ids(search))
    return countUpTo(db, definition.isWholeTable && !search.idPart ? selectFoundIds(list, search) : ids(search))
  }

  const read = async (search: Search | undefined, isFuzzy: boolean): Promise<Page<Item>> => {
    const offset = toOffset(query)
    const start = counted && (await findPageStart(db, counted, order, offset))
    const [page, total] = await Promise.all([
      readInTurn(offset - (start?.before ?? 0), () =>
        pageOf(rows, order, toPage(ids(search), order, query, start)).execute(),
      ),
      query.withoutTotal ? undefined : count(search),
    ])
    return { rows: page.map(toItem), total, isFuzzy }
  }

  return {
    async readPage() {
      const search = toSearch(query.search)
      if (!search) return read(undefined, false)
      const page = await searching(() => read(search, false))
      const fuzzy = page.total === 0 ? await searching(() => findFuzzyMatches(db, search, list)) : undefined
      const fuzzyPage = fuzzy && (await searching(() => read(fuzzy, true)))
      return fuzzyPage && fuzzyPage.total !== 0 ? fuzzyPage : page
    },
    async *readBatches() {
      const found = ids(await chooseSearch(db, list, query.search))
      const batches = toBatches(rows, order, { ids: found, batchRows: definition.batchRows })
      for (;;) {
        const { done, value } = await batchInTurn(() => batches.next())
        if (done) return
        yield value.map(toItem)
      }
    },
  }
}

/**
 * Returns the search to use for a list whose rows the caller reads itself: with typos when nothing matches as spelled.
 */
export async function chooseSearch(db: Db, list: SearchedList, typed: string | undefined): Promise<Search | undefined> {
  const search = toSearch(typed)
  return search && ((await findFuzzyMatches(db, search, list)) ?? search)
}
