import type { BookingListItem } from '#contract/bookings.ts'
import { PAGE } from '#contract/pages.ts'
import { useSession } from '#web/api/session.ts'
import { screensOfKinds } from '#web/paths.ts'
import { RecordLink } from './record-link.tsx'

/** A company's name, linked to the company; plain text for those who may not open companies. */
export function CompanyLink({
  company: { _id, name, isDeleted },
}: {
  company: NonNullable<BookingListItem['company']>
}) {
  const mayOpen = useSession()?.pages.includes(PAGE.corporateBooking) ?? false
  return mayOpen ? (
    <RecordLink href={screensOfKinds.company({ search: _id, status: isDeleted ? 'deleted' : undefined })}>
      {name}
    </RecordLink>
  ) : (
    name
  )
}
