import type { BookingDetails } from '#contract/bookings.ts'
import { CompanyLink } from '#web/components/company-link.tsx'
import { CustomerLink } from '#web/components/customer-link.tsx'
import { toBookingTone } from '#web/components/status-tones.ts'
import { toCountryText } from '#web/lib/country-name.ts'
import { toWallTimeRange } from '#web/lib/format.ts'
import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import { toBreakable } from '#web/ui/data-table/data-table-parts.tsx'
import { Fact, Facts } from '#web/ui/fact/fact.tsx'
import { IconCalendarX } from '#web/ui/icons/icons.tsx'
import { QrCode } from '#web/ui/qr-code/qr-code.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import styles from './booking-ticket.module.css'

/** The booking's code and details, to be shown at the door. Prints on one page. A cancelled booking has no code. */
export function BookingTicket({ booking }: { booking: BookingDetails }) {
  const { locationDetails: location } = booking
  return (
    <article className={styles.ticket} aria-label={`Booking of ${booking.podTitle}`}>
      {booking.status === 'Cancelled' ? (
        <CancelledNote />
      ) : (
        <div className={styles.code}>
          <QrCode text={booking.qrText} size={280} label={`QR code of the booking of ${booking.podTitle}`} />
        </div>
      )}
      <div className={styles.words}>
        <div className={styles.head}>
          <h2 className={styles.title}>{booking.podTitle}</h2>
          <StatusChip tone={toBookingTone(booking.status)}>{booking.status}</StatusChip>
        </div>
        <p className={styles.time}>
          {booking.bookingDate}
          <br />
          {toWallTimeRange(booking)}
        </p>
        <Facts>
          <Fact name="Location">
            {location.name}
            <br />
            {[location.Street, location.city, location.state, toCountryText(location.country_code), location.zip]
              .filter(Boolean)
              .join(', ')}
          </Fact>
          <Fact name="Purpose">{booking.bookingPurpose || 'N/A'}</Fact>
          <Fact name="Company">{booking.company && <CompanyLink company={booking.company} />}</Fact>
          <Fact name="Booked by">
            <CustomerLink id={booking.customerId}>{booking.username}</CustomerLink>
            {booking.userDetails.email && (
              <span className={styles.email}>{toBreakable(booking.userDetails.email)}</span>
            )}
          </Fact>
          <Fact name="Booking id">
            <span className={styles.screenOnly}>
              <CopyId id={booking._id} />
            </span>
            <span className={styles.printOnly}>{booking._id}</span>
          </Fact>
        </Facts>
      </div>
    </article>
  )
}

/** Shown instead of the code of a cancelled booking. */
function CancelledNote() {
  return (
    <div className={styles.cancelled}>
      <IconCalendarX size={28} />
      <p className={styles.cancelledTitle}>This booking was cancelled</p>
      <p>This booking no longer has a code: its time is free for others.</p>
    </div>
  )
}
