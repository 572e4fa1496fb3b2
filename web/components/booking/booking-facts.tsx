import type { BookingPage } from '#contract/booking-actions.ts'
import { toCents, toMoneyText } from '#contract/money.ts'
import { PAGE } from '#contract/pages.ts'
import { isWebAddress } from '#contract/web-address.ts'
import { useMay } from '#web/api/may.ts'
import { CompanyLink } from '#web/components/company-link.tsx'
import { CustomerLink } from '#web/components/customer-link.tsx'
import { MailLink } from '#web/components/mail-link.tsx'
import { toTransactionTone } from '#web/components/status-tones.ts'
import { toMomentText } from '#web/lib/business-day.ts'
import { toPhoneLink, toWallTime } from '#web/lib/format.ts'
import { Link } from '#web/lib/link.tsx'
import { pathOf, qrPath } from '#web/paths.ts'
import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import { Fact, Facts } from '#web/ui/fact/fact.tsx'
import { QrCode } from '#web/ui/qr-code/qr-code.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import styles from './booking.module.css'

export function Who({ booking }: { booking: BookingPage }) {
  const { customer, madeBy, company, cancelReason, cancelledAt, checkedInBy, checkedInMethod } = booking
  const person = customer ?? madeBy
  const hasContact = company !== null && (company.phone !== '' || company.email !== '')
  return (
    <Facts>
      {company && (
        <>
          <Fact name="Company">
            <CompanyLink company={company} />
          </Fact>
          <Fact name="Contact">{company.contactName}</Fact>
          {hasContact && <Contact {...company} />}
        </>
      )}
      {person && (
        <>
          <Fact name={customer ? 'Customer' : 'Booked by'}>
            <CustomerLink id={customer?._id ?? null}>{person.name}</CustomerLink>
          </Fact>
          {!hasContact && <Contact {...person} />}
        </>
      )}
      <Fact name="Made by">{customer && madeBy?.name}</Fact>
      <Fact name="Purpose">{booking.bookingPurpose || 'N/A'}</Fact>
      <Fact name="Made">{toMomentText(booking.createdAt)}</Fact>
      {checkedInMethod !== null && (
        <Fact name="Let in">
          {checkedInMethod === 'staff' ? `by ${checkedInBy ?? 'staff'}` : `by the ${checkedInMethod}`}
        </Fact>
      )}
      {cancelledAt !== null && (
        <Fact name="Cancelled">
          {toMomentText(cancelledAt)}
          {cancelReason !== null && `: ${cancelReason}`}
        </Fact>
      )}
    </Facts>
  )
}

function Contact({ phone, email }: { phone: string; email: string }) {
  return (
    <>
      <Fact name="Phone">{phone && <a href={toPhoneLink(phone)}>{phone}</a>}</Fact>
      <Fact name="Email">{email && <MailLink email={email} />}</Fact>
    </>
  )
}

export function Where({ booking }: { booking: BookingPage }) {
  return (
    <>
      <p className={styles.words}>
        {booking.podTitle}, {booking.locationName}
        <br />
        {toAddress(booking)}
      </p>
      {isWebAddress(booking.pod.direction) ? (
        <a className={styles.link} href={booking.pod.direction} target="_blank" rel="noreferrer">
          Directions
        </a>
      ) : (
        <p className={styles.words}>{booking.pod.direction}</p>
      )}
    </>
  )
}

export function Price({ booking }: { booking: BookingPage }) {
  const { price, paid, balanceDue, payments } = booking
  if (price === null && payments.length === 0) return <p className={styles.words}>Not paid for.</p>
  const refunds = payments.filter(({ status, currency }) => status === 'refunded' && currency === 'ZAR')
  const paidBack = toCents(refunds.reduce((sum, { amount }) => sum + amount, 0))
  return (
    <>
      <Facts>
        <Fact name="Price">{price !== null && toMoneyText(price)}</Fact>
        <Fact name="Paid">{toMoneyText(paid)}</Fact>
        {paidBack > 0 && <Fact name="Paid back">{toMoneyText(paidBack)}</Fact>}
        {balanceDue !== 0 && (
          <Fact name={balanceDue > 0 ? 'Still due' : 'To be given back'}>
            <span className={styles.due}>{toMoneyText(Math.abs(balanceDue))}</span>
          </Fact>
        )}
      </Facts>
      {payments.length > 0 && (
        <ul className={styles.payments} aria-label="Payments">
          {payments.map((payment) => (
            <li key={payment._id}>
              <span>
                <PaymentLink payment={payment} /> by {payment.paymentFacilitator}, {toMomentText(payment.createdAt)}
                {payment.refundedAt !== null && `, paid back ${toMomentText(payment.refundedAt)}`}
              </span>
              <StatusChip tone={toTransactionTone(payment.status)}>{payment.status}</StatusChip>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The amount, linked to the payment among others, which names its checkout, if the person may see those. */
function PaymentLink({ payment: { _id, amount, currency } }: { payment: BookingPage['payments'][number] }) {
  const mayList = useMay().call('transactions.list')
  const text = toMoneyText(amount, currency)
  if (!mayList) return text
  return (
    <Link className={styles.link} href={pathOf(PAGE.transactions, { search: _id })}>
      {text}
    </Link>
  )
}

export function Code({ booking }: { booking: BookingPage }) {
  const hasCode = booking.status !== 'Cancelled'
  return (
    <div className={styles.code}>
      {hasCode && <QrCode text={booking.qrText} label="Booking code" size={112} />}
      <p className={styles.words}>
        {!hasCode
          ? 'A cancelled booking has no code.'
          : booking.isBookingActive
            ? `Opens the door from ${toWallTime(booking.startTime)} to ${toWallTime(booking.endTime)}.`
            : 'No longer opens the door.'}
        <br />
        <CopyId id={booking._id} />
        {hasCode && (
          <>
            <br />
            <Link className={styles.link} href={qrPath(booking._id)}>
              Print or save the code
            </Link>
          </>
        )}
      </p>
    </div>
  )
}

function toAddress({ locationDetails: { Street, city, state, zip } }: BookingPage): string {
  return [Street, city, state, zip].filter(Boolean).join(', ')
}
