import { PAGE, type PageCode } from '#contract/pages.ts'
import { type SearchResult, searchGroups } from '#contract/search.ts'
import type { SignedIn } from '#server/context.ts'
import type { Db } from '#server/db/client.ts'
import { findAlike } from './alike-words.ts'
import * as repository from './search.repository.ts'
import { type Search, toSearch } from './search.ts'

type Group = (typeof searchGroups)[number]

/** Where a hit of the group is shown: who cannot open that page does not find it either (rules §12.8). */
const searches: Record<Group, { page: PageCode; find: (db: Db, search: Search) => Promise<repository.Hit[]> }> = {
  pods: { page: PAGE.pods, find: repository.findPods },
  locations: { page: PAGE.locations, find: repository.findLocations },
  users: { page: PAGE.users, find: repository.findUsers },
  bookings: { page: PAGE.bookings, find: repository.findBookings },
  transactions: { page: PAGE.transactions, find: repository.findTransactions },
}

/** The groups that have hits, each with the first few: one query a group that the caller may see. */
export async function search(db: Db, { pages }: SignedIn, text: string): Promise<SearchResult> {
  const visible = searchGroups.filter((group) => pages.includes(searches[group].page))
  const findIn = async (search: Search | undefined): Promise<SearchResult['groups']> => {
    if (!search) return []
    const groups = visible.map(async (group) => ({ group, hits: await searches[group].find(db, search) }))
    return (await Promise.all(groups)).filter(({ hits }) => hits.length > 0)
  }
  const asTyped = toSearch(text)
  const groups = await findIn(asTyped)
  return { groups: groups.length > 0 || !asTyped ? groups : await findIn(await findAlike(db, asTyped)) }
}
