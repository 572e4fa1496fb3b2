import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PageCode } from '#contract/pages.ts'
import { useMay } from '#web/api/may.ts'
import { useSession } from '#web/api/session.ts'
import { useDelayed } from '#web/lib/delayed.ts'
import { TitleMark } from '#web/ui/page-header/page-header.tsx'
import { FullScreenSpinner } from '#web/ui/spinner/spinner.tsx'
import { useHasUnsaved } from '#web/ui/unsaved.ts'
import { AccessDenied } from './access-denied.tsx'
import { pageAccessQuery } from './page-access.ts'
import { ViewOnlyMark } from './view-only-mark.tsx'

type AccessGateProps = {
  /** Holding one of these is enough; the first one that the person holds is checked with the server. */
  pages: readonly [PageCode, ...PageCode[]]
  children: ReactNode
}

/** Shows a screen only after the server has confirmed access to it (rules §2.6). */
export function AccessGate({ pages, children }: AccessGateProps) {
  const held = useSession()?.pages ?? []
  const page = pages.find((code) => held.includes(code))
  const onlyView = useMay().onlyView(pages)
  const access = useQuery({ ...pageAccessQuery(page ?? pages[0]), enabled: page !== undefined })
  // Not at once: when a view as a colleague begins or ends, the router is still leaving this screen.
  const isDenied = useDelayed(page === undefined)
  // Access that is taken away stays while its screen has unsaved input, as in the session: the server refuses to save it.
  const [isShown, setShown] = useState(false)
  if (access.data === true && !isShown) setShown(true)
  const isKept = useHasUnsaved() && isShown
  // Every response updates the session's pages, so a page that was taken away is noticed at once.
  if (page === undefined) return isDenied ? <AccessDenied /> : null
  if (access.data === true || isKept) return <TitleMark value={onlyView && <ViewOnlyMark />}>{children}</TitleMark>
  if (access.isFetching) return <FullScreenSpinner label="Checking your access" />
  if (access.isError) return <AccessDenied failure={access.error} onRetry={() => void access.refetch()} />
  return <AccessDenied />
}
