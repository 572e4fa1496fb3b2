import type { Db } from '#server/db/client.ts'
import type { Page } from '#server/db/ordered-list.ts'
import { findAlike } from './alike-words.ts'
import { type Search, type SearchedList, toSearch } from './search.ts'

/** A page of a list, and whether its search was taken for misspelled. */
export type Found<Row> = Page<Row> & { isAlike: boolean }

/** The page that `read` reads of what is searched for; where there is nothing, of names that are spelled alike. */
export async function readSearched<Row>(
  db: Db,
  list: SearchedList,
  typed: string | undefined,
  read: (search: Search | undefined) => Promise<Page<Row>>,
): Promise<Found<Row>> {
  const search = toSearch(typed)
  const page = await read(search)
  const alike = search && page.total === 0 ? await findAlike(db, search, list) : undefined
  const alikePage = alike && (await read(alike))
  return alikePage && alikePage.total !== 0 ? { ...alikePage, isAlike: true } : { ...page, isAlike: false }
}

/** The same for who reads the rows elsewhere: what the list is to be searched by. */
export async function chooseSearch(db: Db, list: SearchedList, typed: string | undefined): Promise<Search | undefined> {
  const search = toSearch(typed)
  return search && ((await findAlike(db, search, list)) ?? search)
}
