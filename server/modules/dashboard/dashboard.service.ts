import { DASHBOARD_ROWS, type Dashboard } from '#contract/dashboard.ts'
import { PAGE, type PageCode } from '#contract/pages.ts'
import type { AppContext, SignedIn } from '#server/context.ts'
import { listBookings } from '../bookings/bookings.repository.ts'
import { listFeatures } from '../features/features.repository.ts'
import { listLocations } from '../locations/locations.repository.ts'
import { listPodCards } from '../pods/pods.repository.ts'
import { listTransactions } from '../transactions/transactions.repository.ts'
import { listUsers } from '../users/users.repository.ts'

export type Panel = keyof Dashboard['data']

const pageOfPanel: Record<Panel, PageCode> = {
  pods: PAGE.pods,
  feature: PAGE.features,
  bookings: PAGE.bookings,
  Transaction: PAGE.transactions,
  location: PAGE.locations,
  userDetails: PAGE.users,
}

/**
 * The first rows of each list in its own order, as its screen has it, beside the total. A list whose page the caller
 * lacks, or that is not the one panel asked for, is empty and not read (decisions §4): two queries for each that is.
 */
export async function getDashboard(
  { db, config }: AppContext,
  { pages }: SignedIn,
  only: Panel | undefined,
): Promise<Dashboard> {
  const query = { limit: DASHBOARD_ROWS }
  const read = async <Row>(panel: Panel, list: () => Promise<{ rows: Row[]; total: number | undefined }>) => {
    const isWanted = only === undefined || only === panel
    if (!isWanted || !pages.includes(pageOfPanel[panel])) return { rows: [], total: 0 }
    const { rows, total = rows.length } = await list()
    return { rows, total }
  }
  const [pods, feature, bookings, Transaction, location, userDetails] = await Promise.all([
    read('pods', () => listPodCards(db, DASHBOARD_ROWS)),
    read('feature', () => listFeatures(db, query)),
    read('bookings', () => listBookings(db, query)),
    read('Transaction', () => listTransactions(db, query, config.businessTimeZone)),
    read('location', () => listLocations(db, query)),
    read('userDetails', () => listUsers(db, query)),
  ])
  return {
    data: {
      pods: pods.rows,
      feature: feature.rows,
      bookings: bookings.rows,
      Transaction: Transaction.rows,
      location: location.rows,
      userDetails: userDetails.rows,
    },
    totals: {
      pods: pods.total,
      feature: feature.total,
      bookings: bookings.total,
      Transaction: Transaction.total,
      location: location.total,
      userDetails: userDetails.total,
    },
  }
}
