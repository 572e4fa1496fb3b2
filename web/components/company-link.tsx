import { PAGE } from '#contract/pages.ts'
import { useSession } from '#web/api/session.ts'
import { companyPath } from '#web/paths.ts'
import { RecordLink } from './record-link.tsx'

/** A company's name, which leads to it; only words for those who may not open the companies. */
export function CompanyLink({ name }: { name: string }) {
  const mayOpen = useSession()?.pages.includes(PAGE.corporateBooking) ?? false
  return mayOpen ? <RecordLink href={companyPath({ search: name })}>{name}</RecordLink> : name
}
