import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { LoginResponse } from '#contract/auth.ts'
import { apiQuery } from '#web/api/query.ts'
import { type Session, useSession } from '#web/api/session.ts'
import { signOut } from '#web/api/sign-in.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { toCounted } from '#web/lib/format.ts'
import { Link, usePathname } from '#web/lib/link.tsx'
import { settings } from '#web/lib/settings.ts'
import { menu } from '#web/pages.tsx'
import { mayLeave, useLeaveGuard } from './leave-guard.ts'
import { Shell } from './shell.tsx'
import { useRecordSearch } from './use-record-search.tsx'

/** The shell around every screen behind the login, with the person's screens in its menu (rules §2.5). */
export function SignedInLayout({ children }: { children: ReactNode }) {
  const session = useSession()
  const currentPath = usePathname()
  const search = useRecordSearch()
  const entries = menu.filter(({ page }) => session?.pages.includes(page))
  useDocumentTitle(entries.find(({ path }) => path === currentPath)?.name)
  useLeaveGuard()
  const locations = useOwnLocations(session)
  // The session is over: the guards are on their way to the login, and no screen may ask for more meanwhile.
  if (session === undefined) return null
  return (
    <Shell
      productName={settings.productName}
      entries={entries}
      currentPath={currentPath}
      Link={Link}
      person={toPerson(session.userData)}
      locations={locations}
      onSignOut={() => void leave()}
      search={search}
      appStoreUrl={settings.appStoreUrl ?? undefined}
      playStoreUrl={settings.playStoreUrl ?? undefined}
    >
      {children}
    </Shell>
  )
}

/** Where somebody may work who has some locations; their names are asked for again when these change. */
function useOwnLocations(session: Session | undefined): { words: string; names: string } | undefined {
  const some = session?.locations ?? undefined
  const account = useQuery({ ...apiQuery('account', 'get'), enabled: some !== undefined })
  const names = account.data?.data.locationNames
  if (some === undefined || names === undefined) return undefined
  const list = new Intl.ListFormat('en').format(names)
  return {
    words: names.length > 2 ? `${toCounted(names.length, 'location', 'locations')} only` : `${list} only`,
    names: list,
  }
}

async function leave() {
  if (await mayLeave()) await signOut()
}

/** Storage may hold anything (session.ts): without a name nobody is named. */
function toPerson(data: Partial<LoginResponse> | undefined): { name: string; email: string } | undefined {
  const { firstname = '', lastname = '', email = '' } = data?.user ?? data ?? {}
  const name = `${firstname} ${lastname}`.trim()
  return name === '' && email === '' ? undefined : { name, email }
}
