import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { pages as allPages, PAGE, type PageCode } from '#contract/pages.ts'
import { forgetConfirmation } from './api/confirmation.ts'
import { listUsablePages } from './api/may.ts'
import { queryClient } from './api/query-client.ts'
import { getSession, getSessionEnd, isSamePerson, keepRefusedSession, subscribeSession } from './api/session.ts'
import { AccessDenied } from './components/access-denied.tsx'
import { AccessGate } from './components/access-gate.tsx'
import { lazyScreen } from './components/lazy-screen.ts'
import { pageAccessQuery } from './components/page-access.ts'
import { ScreenFailure } from './components/screen-failure.tsx'
import { parseReturnPath } from './lib/return-path.ts'
import { type MenuEntry, menu } from './pages.tsx'
import {
  ACCOUNT_PATH,
  bookingPath,
  CHOOSE_PASSWORD_PATH,
  customerPath,
  FORGOT_PASSWORD_PATH,
  HOME_PATH,
  LOGIN_PATH,
  QR_PATH,
  SET_UP_PATH,
} from './paths.ts'
import { SignedInLayout } from './shell/signed-in-layout.tsx'
import { FullScreenSpinner } from './ui/spinner/spinner.tsx'
import { closeToasts } from './ui/toasts/toasts.ts'
import { hasUnsaved } from './ui/unsaved.ts'

/** Screens that require a page. */
const screens: readonly Screen[] = [
  ...menu.map(({ page, path, Screen, list }): Screen => ({ path, pages: [page], component: Screen, list })),
  {
    path: QR_PATH,
    pages: [PAGE.corporateBooking, PAGE.bookings], // rules §4.16
    component: lazyScreen(() => import('./screens/qr/qr-screen.tsx'), 'QrScreen'),
  },
  {
    path: bookingPath('$id'),
    pages: [PAGE.bookings, PAGE.corporateBooking],
    component: lazyScreen(() => import('./screens/booking/booking-screen.tsx'), 'BookingScreen'),
  },
  {
    path: customerPath('$id'),
    pages: [PAGE.users, PAGE.bookings],
    component: lazyScreen(() => import('./screens/customer/customer-screen.tsx'), 'CustomerScreen'),
  },
]

type Screen = {
  path: string
  /** Holding any one of these pages gives access. */
  pages: readonly [PageCode, ...PageCode[]]
  component: RouteComponent
  list?: MenuEntry['list']
}

const listPages = () => {
  const session = getSession()
  return session ? listUsablePages(session) : []
}

function listHeldScreens(): Screen[] {
  const held = listPages()
  return screens.filter((screen) => screen.pages.some((page) => held.includes(page)))
}

const rootRoute = createRootRoute({ component: Outlet })

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: LOGIN_PATH,
  beforeLoad: ({ location }) => {
    if (getSession()) throw redirect({ href: parseReturnPath(location.state.returnTo) ?? HOME_PATH, replace: true })
  },
  component: lazyScreen(() => import('./screens/login/login-screen.tsx'), 'LoginScreen'),
})

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: FORGOT_PASSWORD_PATH,
  component: lazyScreen(() => import('./screens/login/forgot-password-screen.tsx'), 'ForgotPasswordScreen'),
})

const choosePasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: CHOOSE_PASSWORD_PATH,
  component: lazyScreen(() => import('./screens/login/choose-password-screen.tsx'), 'ChoosePasswordScreen'),
})

/**
 * Where staff go who must choose a password or set up a second factor before anything else (rules §33.10, §33.18). Once
 * they have, it redirects as the login does.
 */
const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: SET_UP_PATH,
  beforeLoad: ({ location: { state } }) => {
    const returnTo = getSessionEnd() === 'signed-out' ? undefined : state.returnTo
    if (!getSession()) throw redirect({ to: LOGIN_PATH, state: { returnTo }, replace: true })
    if (!getSession()?.mustSetUp) throw redirect({ href: parseReturnPath(state.returnTo) ?? HOME_PATH, replace: true })
  },
  component: lazyScreen(() => import('./screens/login/set-up-screen.tsx'), 'SetUpScreen'),
})

/**
 * All other paths require a session (rules §2.5). The current path is kept in the entry of the history, so that the
 * address is the login's own; not after signing out.
 */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: ({ location }) => {
    const session = getSession()
    if (session && !session.mustSetUp) return
    const returnTo = getSessionEnd() === 'signed-out' ? undefined : location.href
    throw redirect({ to: session ? SET_UP_PATH : LOGIN_PATH, state: { returnTo }, replace: true })
  },
  component: () => (
    <SignedInLayout>
      <Outlet />
    </SignedInLayout>
  ),
})

/** The person's own account, which requires no page. */
const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: ACCOUNT_PATH,
  // The account of a viewed colleague is not shown (rules §34.11).
  beforeLoad: () => (getSession()?.viewAs ? leaveFor(ACCOUNT_PATH) : undefined),
  component: lazyScreen(() => import('./screens/account/account-screen.tsx'), 'AccountScreen'),
})

function toRoute({ path, pages, component: Component, list }: Screen) {
  const Gated = () => (
    <AccessGate pages={pages}>
      <Component />
    </AccessGate>
  )
  return createRoute({
    getParentRoute: () => signedInRoute,
    path,
    beforeLoad: ({ cause, location }) => {
      // A page that the person does not hold is treated like an unknown path (rules §2.5).
      if (!listHeldScreens().some((screen) => screen.path === path)) return leaveFor(path)
      // The access check runs while the screen's code loads, and already when a link is hovered; the list loads too.
      const page = pages.find((code) => getSession()?.pages.includes(code))
      if (page !== undefined) void queryClient.prefetchQuery(pageAccessQuery(page))
      if (cause === 'enter') void list?.prefetch(location.search)
    },
    component: Object.assign(Gated, { preload: () => Component.preload?.() }),
    // The screen of one record does not go on, with its open dialogs, as that of another.
    remountDeps: ({ params }) => params,
  })
}

/** Redirects to '/', or from '/' to the person's first page (rules §2.5). Stays on '/' when they hold no page. */
function leaveFor(path: string): void {
  const held = listPages()
  const target = path === HOME_PATH ? allPages.find(({ id }) => held.includes(id))?.path : HOME_PATH
  if (target !== undefined) throw redirect({ to: target, replace: true })
}

const unknownRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '$',
  beforeLoad: ({ location }) => leaveFor(location.pathname),
  component: () => <AccessDenied />,
})

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    loginRoute,
    forgotPasswordRoute,
    choosePasswordRoute,
    setUpRoute,
    signedInRoute.addChildren([accountRoute, ...screens.map((screen) => toRoute(screen)), unknownRoute]),
  ]),
  // Query values stay plain strings; each screen parses its own (lib/url-state.ts).
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
  },
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingMs: 0, // FullScreenSpinner shows itself only after 150 ms
  defaultPendingMinMs: 0,
  defaultPendingComponent: FullScreenSpinner,
  defaultErrorComponent: ScreenFailure,
})

/**
 * Runs the route guards again when a session begins or ends (in any tab), when it is somebody else's, or when having to
 * set something up begins or ends. When only pages, levels or locations have changed, refetches all queries,
 * because responses depend on them. Keeps the screen of a refused session while it has unsaved input. Returns a
 * function that stops following.
 */
export function followSession(): () => void {
  keepRefusedSession(hasUnsaved)
  let last = getSession()
  return subscribeSession(() => {
    const session = getSession()
    const [before, now] = [last, session].map((of) => JSON.stringify([of?.pages, of?.viewOnlyPages, of?.locations]))
    const isOtherPerson = !isSamePerson(session, last)
    const isOther = isOtherPerson || session?.mustSetUp !== last?.mustSetUp
    last = session
    if (isOtherPerson) {
      // They say what one person has done, and offer to undo it or to try it again.
      closeToasts()
      forgetConfirmation()
    }
    if (isOther) void router.invalidate()
    else if (before !== now) void queryClient.invalidateQueries()
  })
}
