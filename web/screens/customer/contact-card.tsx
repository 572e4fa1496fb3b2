import { toMoneyText } from '#contract/money.ts'
import type { Customer } from '#contract/users.ts'
import { MailLink } from '#web/components/mail-link.tsx'
import { toBusinessTime } from '#web/lib/business-day.ts'
import { toCountText, toPhoneLink } from '#web/lib/format.ts'
import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import { Panel } from '#web/ui/panel/panel.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import styles from './customer.module.css'

/** The customer's contact details, and figures of their bookings and payments. */
export function ContactCard({ customer }: { customer: Customer }) {
  const { email, mobile, bookings, paid, isBlocked, isDeleted, isErased } = customer
  return (
    <Panel
      title="Contact"
      action={
        <StatusChip tone={isBlocked || isDeleted ? 'red' : 'green'}>
          {isErased ? 'Erased' : isDeleted ? 'Deleted' : isBlocked ? 'Inactive' : 'active'}
        </StatusChip>
      }
    >
      {customer.blocked && <BlockedNote blocked={customer.blocked} />}
      <dl className={styles.facts}>
        <dt>Email</dt>
        <dd>{email ? <MailLink email={email} /> : 'N/A'}</dd>
        <dt>Mobile</dt>
        <dd>{mobile ? <a href={toPhoneLink(mobile)}>{mobile}</a> : 'N/A'}</dd>
        <dt>Role</dt>
        <dd>{customer.role || 'N/A'}</dd>
        <dt>Customer since</dt>
        <dd>{toBusinessTime(customer.createdAt).date}</dd>
        <dt>User id</dt>
        <dd>
          <CopyId id={customer._id} />
        </dd>
      </dl>
      {(bookings || paid !== null) && (
        <dl className={styles.figures}>
          {bookings && (
            <>
              <Figure label="Upcoming" value={toCountText(bookings.upcoming)} />
              <Figure label="Past" value={toCountText(bookings.past)} />
              <Figure label="Cancelled" value={toCountText(bookings.cancelled)} />
              <Figure label="No-shows" value={toCountText(bookings.noShows)} />
            </>
          )}
          {paid !== null && <Figure label="Paid" value={toMoneyText(paid)} />}
        </dl>
      )}
    </Panel>
  )
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function BlockedNote({ blocked }: { blocked: NonNullable<Customer['blocked']> }) {
  return (
    <p className={styles.blocked}>
      Blocked on {toBusinessTime(blocked.at).date}
      {blocked.by && ` by ${blocked.by}`}
      {blocked.reason ? `: ${blocked.reason}` : '. No reason was given.'}
    </p>
  )
}
