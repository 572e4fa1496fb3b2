import type { ReactNode } from 'react'
import { PAGE } from '#contract/pages.ts'
import { useSession } from '#web/api/session.ts'
import { customerPath } from '#web/paths.ts'
import { RecordLink } from './record-link.tsx'

/** A customer's name, linked to their page; plain text for a staff member, or if the person may not open the page. */
export function CustomerLink({ id, children }: { id: string | null; children: ReactNode }) {
  const mayOpen = useSession()?.pages.some((page) => page === PAGE.users || page === PAGE.bookings) ?? false
  return id !== null && mayOpen ? <RecordLink href={customerPath(id)}>{children}</RecordLink> : children
}
