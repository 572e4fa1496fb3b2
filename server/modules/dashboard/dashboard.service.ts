import { DASHBOARD_ROWS, type Dashboard } from '#contract/dashboard.ts'
import { PAGE, type PageCode } from '#contract/pages.ts'
import type { AppContext, SignedIn } from '#server/context.ts'
import type { List } from '#server/db/lists/define-list.ts'
import { listFeatures } from '../features/features.repository.ts'
import { listLocations } from '../locations/locations.repository.ts'
import { listTransactions } from '../transactions/transactions.repository.ts'
import { listUsers } from '../users/users.repository.ts'
import { listNewestBookings, listPodCards, type Panel, readTotals } from './dashboard.repository.ts'

const pageOfPanel: Record<Panel, PageCode> = {
  pods: PAGE.pods,
  feature: PAGE.features,
  bookings: PAGE.bookings,
  Transaction: PAGE.transactions,
  location: PAGE.locations,
  userDetails: PAGE.users,
}

/**
 * Returns the first rows of each list, in the order of its screen, and the totals. A list is empty and not read when
 * the caller lacks its page or asked for another panel (rules §11.1). Takes one query per list and one for the totals.
 */
export async function getDashboard(
  { db, config }: AppContext,
  pages: SignedIn['pages'],
  only: Panel | undefined,
): Promise<Dashboard> {
  const query = { limit: DASHBOARD_ROWS, withoutTotal: true } as const
  const panels = (Object.keys(pageOfPanel) as Panel[]).filter(
    (panel) => (only === undefined || only === panel) && pages.includes(pageOfPanel[panel]),
  )
  const read = async <Row>(panel: Panel, list: () => Promise<Row[]>) => (panels.includes(panel) ? list() : [])
  const readFirst = <Item>(panel: Panel, list: List<Item>) => read(panel, async () => (await list.readPage()).rows)
  const [pods, feature, bookings, Transaction, location, userDetails, totals] = await Promise.all([
    read('pods', () => listPodCards(db)),
    readFirst('feature', listFeatures(db, query)),
    read('bookings', () => listNewestBookings(db)),
    readFirst('Transaction', listTransactions(db, query, config.businessTimeZone)),
    readFirst('location', listLocations(db, query)),
    readFirst('userDetails', listUsers(db, query)),
    readTotals(db, panels),
  ])
  return {
    data: { pods, feature, bookings, Transaction, location, userDetails },
    totals: { pods: 0, feature: 0, bookings: 0, Transaction: 0, location: 0, userDetails: 0, ...totals },
  }
}
