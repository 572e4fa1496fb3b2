import { auditEntities } from '#contract/audit-entities.ts'
import { PAGE } from '#contract/pages.ts'
import { type SearchGroup, searchGroups, searchKinds } from '#contract/search-groups.ts'
import type { SearchResult } from '#contract/search.ts'
import type { SignedIn } from '#server/context.ts'
import type { Db } from '#server/db/client.ts'
import { findFuzzyMatches } from '#server/db/lists/fuzzy-match.ts'
import { type Search, searching, toSearch } from '#server/db/lists/search.ts'
import * as repository from './search.repository.ts'

const searches: Record<SearchGroup, (db: Db, search: Search, madeBy: string | undefined) => Promise<repository.Hit[]>> =
  {
    pods: repository.listPodHits,
    locations: repository.listLocationHits,
    users: repository.listUserHits,
    companies: repository.listCompanyHits,
    bookings: repository.listBookingHits,
    transactions: repository.listTransactionHits,
  }

/**
 * Searches the groups that the caller may see, with one query per group. Returns the groups with hits, each with the
 * first few. Looks for fuzzy matches when nothing matches as typed.
 */
export async function search(db: Db, { id, pages }: SignedIn, text: string): Promise<SearchResult> {
  // Only groups whose page the caller can open. With page 9 alone, they see the bookings that they made.
  const madeBy = pages.includes(PAGE.bookings) ? undefined : id
  const visible = searchGroups.filter(
    (group) =>
      pages.includes(auditEntities[searchKinds[group]].page) ||
      (group === 'bookings' && pages.includes(PAGE.corporateBooking)),
  )
  const listGroups = async (search: Search | undefined): Promise<SearchResult['groups']> => {
    if (!search) return []
    const groups = visible.map(async (group) => ({
      group,
      hits: await searching(() => searches[group](db, search, madeBy)),
    }))
    return (await Promise.all(groups)).filter(({ hits }) => hits.length > 0)
  }
  const asTyped = toSearch(text)
  const groups = await listGroups(asTyped)
  return {
    groups:
      groups.length > 0 || !asTyped ? groups : await listGroups(await searching(() => findFuzzyMatches(db, asTyped))),
  }
}
