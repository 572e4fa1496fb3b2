import { useQuery } from '@tanstack/react-query'
import type { Company, CompanyBooking } from '#contract/companies.ts'
import { companyLabels } from '#contract/field-labels.ts'
import { PAGE } from '#contract/pages.ts'
import { ApiError } from '#web/api/api-error.ts'
import { useMay } from '#web/api/may.ts'
import { apiQuery } from '#web/api/query.ts'
import { useSession } from '#web/api/session.ts'
import { MailLink } from '#web/components/mail-link.tsx'
import { toUpcomingText } from '#web/components/record-list/upcoming-bookings.tsx'
import { toBookingTone } from '#web/components/status-tones.ts'
import { Unloaded } from '#web/components/unloaded.tsx'
import { keysOf } from '#web/lib/fields.ts'
import { toDateText, toPhoneLink, toWallTimeRange } from '#web/lib/format.ts'
import { Link } from '#web/lib/link.tsx'
import { bookingPath, pathOf } from '#web/paths.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Fact, Facts } from '#web/ui/fact/fact.tsx'
import { SkeletonLines } from '#web/ui/skeleton/skeleton.tsx'
import { EmptyRegion, EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import styles from './company-dialog.module.css'

const { name: _, ...factLabels } = companyLabels
const factNames = keysOf(factLabels)
const DELETED = 'This company has been deleted meanwhile. The status ‘Deleted’ finds it.'
/** Somebody with some locations sees no company that is booked for at others only (rules §37.3). */
const GONE_HERE = 'This company has been deleted meanwhile, or is booked for at other locations only.'

type CompanyDialogProps = {
  /** As it was when the dialog was opened. */
  opened: Company
  onClose: () => void
}

/** A company as it is now: also when a colleague changes or deletes it while it is shown. */
export function CompanyDialog({ opened, onClose }: CompanyDialogProps) {
  const query = useQuery(apiQuery('companies', 'get', { params: { id: opened._id } }))
  const hasSomeLocations = useSession()?.locations != null
  const isGone = query.error instanceof ApiError && query.error.status === 404
  const company = query.data?.data ?? opened
  return (
    <Dialog title={isGone && hasSomeLocations ? 'Company' : company.name} width={500} onClose={onClose}>
      <EmptyRegion>{isGone && <EmptyState>{hasSomeLocations ? GONE_HERE : DELETED}</EmptyState>}</EmptyRegion>
      {!isGone && <CompanyDetails company={company} />}
    </Dialog>
  )
}

/** A company's contact, invoice details and upcoming bookings (rules §29.4). */
function CompanyDetails({ company }: { company: Company }) {
  const upcoming = useQuery(apiQuery('companies', 'upcomingBookings', { params: { id: company._id } }))
  const session = useSession()
  const pages = session?.pages ?? []
  const mayBook = useMay().call('bookings.createFor')
  const facts = factNames.filter((name) => company[name] !== '')
  return (
    <>
      {facts.length > 0 && (
        <Facts>
          {facts.map((name) => (
            <Fact key={name} name={factLabels[name]}>
              <FactValue name={name} value={company[name]} />
            </Fact>
          ))}
        </Facts>
      )}
      <h3 className={styles.heading}>Upcoming bookings{session?.locations && ' at your locations'}</h3>
      <Unloaded query={upcoming}>{!upcoming.data && <SkeletonLines count={3} />}</Unloaded>
      {upcoming.data && (
        <>
          <p className={styles.count}>{toUpcomingText(upcoming.data.data.upcomingBookings)}</p>
          <ul className={styles.bookings}>
            {upcoming.data.data.bookings.map((booking) => (
              <Upcoming key={booking._id} booking={booking} />
            ))}
          </ul>
        </>
      )}
      <p className={styles.links}>
        {mayBook && <Link href={pathOf(PAGE.corporateBooking, { company: company._id })}>Book for this company</Link>}
        {pages.includes(PAGE.bookings) && (
          <Link href={pathOf(PAGE.bookings, { company: company._id, sort: '-startTime' })}>Show its bookings</Link>
        )}
        {pages.includes(PAGE.transactions) && (
          <Link href={pathOf(PAGE.transactions, { company: company._id })}>Show its payments</Link>
        )}
      </p>
    </>
  )
}

function FactValue({ name, value }: { name: (typeof factNames)[number]; value: string }) {
  if (name === 'email') return <MailLink email={value} />
  if (name === 'phone') return <a href={toPhoneLink(value)}>{value}</a>
  return value
}

function Upcoming({ booking }: { booking: CompanyBooking }) {
  return (
    <li>
      <div className={styles.words}>
        <Link href={bookingPath(booking._id)}>
          {toDateText(booking.bookingDate)}, {toWallTimeRange(booking)}
        </Link>
        <div className={styles.location}>
          {booking.podTitle}, {booking.locationName}
        </div>
      </div>
      <StatusChip tone={toBookingTone(booking.status)}>{booking.status}</StatusChip>
    </li>
  )
}
