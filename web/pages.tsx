import type { RouteComponent } from '@tanstack/react-router'
import { PAGE, type PageCode, pages } from '#contract/pages.ts'
import { lazyScreen } from './components/lazy-screen.ts'
import { includedScreens } from './paths.ts'
import { activityList } from './screens/activity/activity-list.ts'
import { bookingList } from './screens/bookings/booking-list.ts'
import { closureList } from './screens/closures/closure-list.ts'
import { companyList } from './screens/companies/company-list.ts'
import { locationList } from './screens/locations/location-list.ts'
import { podList } from './screens/pods/pod-list.ts'
import { scheduleList } from './screens/schedule/schedule-query.ts'
import { staffList } from './screens/staff/staff-list.ts'
import { transactionList } from './screens/transactions/transaction-list.ts'
import { userList } from './screens/users/user-list.ts'
import {
  IconBriefcase,
  IconBuilding,
  IconCalendar,
  IconCalendarTime,
  IconCalendarX,
  IconCoin,
  IconCube,
  IconDoorEnter,
  IconHistory,
  IconLayoutDashboard,
  IconMail,
  IconMapPin,
  IconReceipt,
  IconShieldLock,
  IconSparkles,
  IconUsers,
} from './ui/icons/icons.tsx'

type ScreenParts = {
  Icon: typeof IconCube
  Screen: RouteComponent
  /** List screens only: requests the first rows while the screen's code is still loading. */
  list?: { prefetch: (search: Record<string, string | undefined>) => Promise<void> }
}

/** Icon and screen of each page of the contract. Every screen is a separate chunk, loaded when its link is hovered. */
const pageParts: Record<PageCode, ScreenParts> = {
  [PAGE.dashboard]: {
    Icon: IconLayoutDashboard,
    Screen: lazyScreen(() => import('./screens/dashboard/dashboard-screen.tsx'), 'DashboardScreen'),
  },
  [PAGE.features]: {
    Icon: IconSparkles,
    Screen: lazyScreen(() => import('./screens/features/features-screen.tsx'), 'FeaturesScreen'),
  },
  [PAGE.pods]: {
    Icon: IconCube,
    Screen: lazyScreen(() => import('./screens/pods/pods-screen.tsx'), 'PodsScreen'),
    list: podList,
  },
  [PAGE.transactions]: {
    Icon: IconReceipt,
    Screen: lazyScreen(() => import('./screens/transactions/transactions-screen.tsx'), 'TransactionsScreen'),
    list: transactionList,
  },
  [PAGE.users]: {
    Icon: IconUsers,
    Screen: lazyScreen(() => import('./screens/users/users-screen.tsx'), 'UsersScreen'),
    list: userList,
  },
  [PAGE.bookings]: {
    Icon: IconCalendar,
    Screen: lazyScreen(() => import('./screens/bookings/bookings-screen.tsx'), 'BookingsScreen'),
    list: bookingList,
  },
  [PAGE.locations]: {
    Icon: IconMapPin,
    Screen: lazyScreen(() => import('./screens/locations/locations-screen.tsx'), 'LocationsScreen'),
    list: locationList,
  },
  [PAGE.staff]: {
    Icon: IconShieldLock,
    Screen: lazyScreen(() => import('./screens/staff/staff-screen.tsx'), 'StaffScreen'),
    list: staffList,
  },
  [PAGE.corporateBooking]: {
    Icon: IconBriefcase,
    Screen: lazyScreen(
      () => import('./screens/corporate-booking/corporate-booking-screen.tsx'),
      'CorporateBookingScreen',
    ),
  },
}

export type MenuEntry = ScreenParts & { page: PageCode; path: string; name: string }

/** The second entry of the menu. */
const schedule: MenuEntry = {
  ...includedScreens.schedule,
  Icon: IconCalendarTime,
  Screen: lazyScreen(() => import('./screens/schedule/schedule-screen.tsx'), 'ScheduleScreen'),
  list: scheduleList,
}

/** The bookings expected today; the entry after the schedule. */
const arrivals: MenuEntry = {
  ...includedScreens.arrivals,
  Icon: IconDoorEnter,
  Screen: lazyScreen(() => import('./screens/arrivals/arrivals-screen.tsx'), 'ArrivalsScreen'),
}

/** Screens listed in the menu after the pages. */
const screens: readonly MenuEntry[] = [
  {
    ...includedScreens.closures,
    Icon: IconCalendarX,
    Screen: lazyScreen(() => import('./screens/closures/closures-screen.tsx'), 'ClosuresScreen'),
    list: closureList,
  },
  {
    ...includedScreens.companies,
    Icon: IconBuilding,
    Screen: lazyScreen(() => import('./screens/companies/companies-screen.tsx'), 'CompaniesScreen'),
    list: companyList,
  },
  {
    ...includedScreens.policies,
    Icon: IconCoin,
    Screen: lazyScreen(() => import('./screens/policies/policies-screen.tsx'), 'PoliciesScreen'),
  },
  {
    ...includedScreens.activity,
    Icon: IconHistory,
    Screen: lazyScreen(() => import('./screens/activity/activity-screen.tsx'), 'ActivityScreen'),
    list: activityList,
  },
  {
    ...includedScreens.messages,
    Icon: IconMail,
    Screen: lazyScreen(() => import('./screens/messages/messages-screen.tsx'), 'MessagesScreen'),
  },
]

/** All menu entries; each is shown to staff who hold its page. */
export const menu: readonly MenuEntry[] = [
  ...pages.flatMap(({ id, path, name }): MenuEntry[] => {
    const entry = { page: id, path, name, ...pageParts[id] }
    return id === PAGE.dashboard ? [entry, schedule, arrivals] : [entry]
  }),
  ...screens,
]
