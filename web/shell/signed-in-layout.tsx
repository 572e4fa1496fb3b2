import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import type { LoginResponse } from '#contract/auth.ts'
import { toFullName } from '#contract/full-name.ts'
import type { Viewed } from '#contract/view-as.ts'
import { listUsablePages } from '#web/api/may.ts'
import { apiQuery } from '#web/api/query.ts'
import { getUserId, type Session, updateUser, useKept, useSession } from '#web/api/session.ts'
import { signOut } from '#web/api/sign-in.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { toCounted } from '#web/lib/format.ts'
import { usePathname } from '#web/lib/link.tsx'
import { settings } from '#web/lib/settings.ts'
import { menu } from '#web/pages.tsx'
import { FailedPart, lazyPart } from '#web/ui/lazy-part/lazy-part.tsx'
import { showSuccess } from '#web/ui/toasts/toasts.ts'
import { KeptScreen } from './kept-screen.tsx'
import { mayLeave, useLeaveGuard } from './leave-guard.ts'
import { useReturnToScroll } from './return-to-scroll.ts'
import { Shell } from './shell.tsx'
import { useIdleWarning } from './use-idle-warning.ts'
import { useRecordSearch } from './use-record-search.tsx'

const ViewAsBar = lazyPart(async () => (await import('./view-as-bar.tsx')).ViewAsBar, FailedPart)

/** The shell around every screen behind the login, with the person's screens in its menu (rules §2.5). */
export function SignedInLayout({ children }: { children: ReactNode }) {
  const session = useSession()
  const kept = useKept()
  const pathname = usePathname()
  const search = useRecordSearch()
  const pages = session ? listUsablePages(session) : []
  const entries = menu.filter(({ page }) => pages.includes(page))
  const open = entries.find(({ path }) => toPlain(path) === toPlain(pathname))
  useDocumentTitle(open?.name)
  useLeaveGuard()
  useReturnToScroll()
  useIdleWarning()
  const isView = session !== undefined && session.viewAs !== null
  const viewed = useViewed(session)
  const locations = useLocations(session, viewed)
  // The session has ended, and the guards are redirecting to the login: no screen may send requests meanwhile.
  if (session === undefined) return null
  return (
    <Shell
      // Nothing that one person has open or typed goes on when somebody else signs in, in another tab.
      key={getUserId({ ...session, viewAs: null })}
      productName={settings.productName}
      entries={entries}
      currentPath={open?.path ?? pathname}
      person={toPerson(isView ? viewed : session.userData)}
      isView={isView}
      bar={isView && <ViewAsBar viewed={viewed} />}
      locations={locations}
      onSignOut={() => void leave()}
      search={search}
      appStoreUrl={settings.appStoreUrl ?? undefined}
      playStoreUrl={settings.playStoreUrl ?? undefined}
    >
      {/* The key resets the screens' state, such as choices, when the portal becomes another person's. */}
      <Fragment key={session.viewAs}>{children}</Fragment>
      {kept && <KeptScreen why={kept} />}
    </Shell>
  )
}

/** The router also finds a screen whose path is typed in other letters, or with a slash at its end. */
const toPlain = (path: string) => path.toLowerCase().replace(/\/$/, '')

const ASK_EVERY_MS = 60_000

/** Returns the viewed colleague. Refetches every minute, because a view ends by itself. */
function useViewed(session: Session | undefined): Viewed | undefined {
  // Undefined once the session has ended, when there is no portal of their own to see.
  const viewAs = session?.viewAs
  const isView = typeof viewAs === 'string'
  const { data } = useQuery({ ...apiQuery('viewAs', 'get'), enabled: isView, refetchInterval: ASK_EVERY_MS })
  const wasView = useRef(isView)
  useEffect(() => {
    if (wasView.current && viewAs === null) showSuccess('You see your own portal again')
    wasView.current = isView
  }, [viewAs, isView])
  return isView ? (data?.data.viewed ?? undefined) : undefined
}

/** Returns texts for the locations of a person who is limited to some; undefined for all locations. */
function useLocations(session: Session | undefined, viewed: Viewed | undefined) {
  const some = session?.locations ?? undefined
  const isOwn = session?.viewAs === null
  const account = useQuery({ ...apiQuery('account', 'get'), enabled: some !== undefined && isOwn })
  const own = account.data?.data
  // A colleague may have changed the name since this person signed in.
  useEffect(() => {
    if (own) updateUser(own)
  }, [own])
  const names = isOwn ? own?.locationNames : viewed?.locationNames
  if (some === undefined || names === undefined) return undefined
  // Deleted meanwhile.
  if (names.length === 0) return { words: 'No location', names: '' }
  const list = new Intl.ListFormat('en').format(names)
  return {
    words: names.length > 2 ? `${toCounted(names.length, 'location', 'locations')} only` : `${list} only`,
    names: list,
  }
}

async function leave() {
  if (await mayLeave()) await signOut()
}

/** Returns undefined without a name and email: storage may hold anything (session.ts). */
function toPerson(data: Partial<LoginResponse & Viewed> | undefined): { name: string; email: string } | undefined {
  const { firstname = '', lastname = '', email = '' } = data?.user ?? data ?? {}
  const name = toFullName({ firstname, lastname })
  return name === '' && email === '' ? undefined : { name, email }
}
