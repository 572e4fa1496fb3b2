import { useDeferredValue } from 'react'
import { PAGE } from '#contract/pages.ts'
import { getUserId, useSession } from '#web/api/session.ts'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { EmptyState, ErrorState } from '#web/ui/state-messages/state-messages.tsx'
import styles from './dashboard.module.css'
import { FailedWorkNotice } from './failed-work-notice.tsx'
import { LocationsPanel } from './locations-panel.tsx'
import { PodsPanel } from './pods-panel.tsx'
import { BookingsPanel, FeaturesPanel, TransactionsPanel, UsersPanel } from './table-panels.tsx'
import { TodayPanel } from './today-panel.tsx'

const tablePanels = [
  { page: PAGE.bookings, TablePanel: BookingsPanel },
  { page: PAGE.transactions, TablePanel: TransactionsPanel },
  { page: PAGE.users, TablePanel: UsersPanel },
  { page: PAGE.features, TablePanel: FeaturesPanel },
] as const
const DRAWN_FIRST = 2

/** Screen of page 1 (rules §11.2): panels of the pages that the person holds, each loading on its own. */
export function DashboardScreen() {
  const session = useSession()
  const userId = getUserId(session)
  const holds = (page: number) => session?.pages.some((held) => held === page) ?? false
  const tables = tablePanels.filter(({ page }) => holds(page))
  // Panels stand in pairs; a last one without a neighbour takes the full width.
  const isAlone = (index: number) => index === tables.length - 1 && index % 2 === 0
  // Panels below the fold are rendered after the first ones.
  const isWhole = useDeferredValue(true, false)
  if (userId === undefined) {
    return (
      <>
        <PageHeader title="Dashboard" />
        <ErrorState
          framed
          problem={{ message: 'User ID is missing in the auth object' }}
          title="Sign out and in again"
        />
      </>
    )
  }
  if (tables.length === 0 && !holds(PAGE.pods) && !holds(PAGE.locations)) {
    return (
      <>
        <PageHeader title="Dashboard" />
        <FailedWorkNotice />
        <EmptyState framed>
          Nothing appears here yet, because none of your other pages has a panel. A colleague with Assign Role can give
          you more.
        </EmptyState>
      </>
    )
  }
  return (
    <>
      <PageHeader title="Dashboard" />
      <FailedWorkNotice />
      <TodayPanel />
      <div className={styles.panels}>
        {holds(PAGE.pods) && <PodsPanel userId={userId} />}
        {tables.slice(0, isWhole ? undefined : DRAWN_FIRST).map(({ page, TablePanel }, index) => (
          <TablePanel key={page} userId={userId} wide={isAlone(index)} />
        ))}
        {isWhole && holds(PAGE.locations) && <LocationsPanel userId={userId} />}
      </div>
    </>
  )
}
