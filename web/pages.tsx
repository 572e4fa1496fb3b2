import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PAGE, type PageCode } from '#contract/pages.ts'
import {
  IconBriefcase,
  IconCalendar,
  IconCube,
  IconLayoutDashboard,
  IconMapPin,
  IconReceipt,
  IconShieldLock,
  IconSparkles,
  IconUsers,
} from './ui/icons/icons.tsx'

type PageParts = { Icon: typeof IconCube; Screen: RouteComponent }

/** What the portal adds to the contract's pages. Each screen is a chunk of its own, loaded when its link is pointed at. */
export const pageParts: Record<PageCode, PageParts> = {
  [PAGE.dashboard]: {
    Icon: IconLayoutDashboard,
    Screen: lazy(() => import('./screens/dashboard/dashboard-screen.tsx'), 'DashboardScreen'),
  },
  [PAGE.features]: {
    Icon: IconSparkles,
    Screen: lazy(() => import('./screens/features/features-screen.tsx'), 'FeaturesScreen'),
  },
  [PAGE.pods]: { Icon: IconCube, Screen: lazy(() => import('./screens/pods/pods-screen.tsx'), 'PodsScreen') },
  [PAGE.transactions]: {
    Icon: IconReceipt,
    Screen: lazy(() => import('./screens/transactions/transactions-screen.tsx'), 'TransactionsScreen'),
  },
  [PAGE.users]: { Icon: IconUsers, Screen: lazy(() => import('./screens/users/users-screen.tsx'), 'UsersScreen') },
  [PAGE.bookings]: {
    Icon: IconCalendar,
    Screen: lazy(() => import('./screens/bookings/bookings-screen.tsx'), 'BookingsScreen'),
  },
  [PAGE.locations]: {
    Icon: IconMapPin,
    Screen: lazy(() => import('./screens/locations/locations-screen.tsx'), 'LocationsScreen'),
  },
  [PAGE.staff]: { Icon: IconShieldLock, Screen: lazy(() => import('./screens/staff/staff-screen.tsx'), 'StaffScreen') },
  [PAGE.corporateBooking]: {
    Icon: IconBriefcase,
    Screen: lazy(() => import('./screens/corporate-booking/corporate-booking-screen.tsx'), 'CorporateBookingScreen'),
  },
}

function lazy<Name extends string>(load: () => Promise<Record<Name, () => ReactNode>>, name: NoInfer<Name>) {
  return lazyRouteComponent(load, name)
}
