import { useState } from 'react'
import { toMoneyText } from '#contract/money.ts'
import { PAGE } from '#contract/pages.ts'
import type { Customer } from '#contract/users.ts'
import { useSession } from '#web/api/session.ts'
import { MailLink } from '#web/components/mail-link.tsx'
import { RecordLink } from '#web/components/record-link.tsx'
import { toBusinessTime } from '#web/lib/business-day.ts'
import { toCountText, toPhoneLink } from '#web/lib/format.ts'
import { pathOf } from '#web/paths.ts'
import { Button } from '#web/ui/button/button.tsx'
import { CopyId } from '#web/ui/copy-id/copy-id.tsx'
import { Fact, Facts } from '#web/ui/fact/fact.tsx'
import { IconPencil } from '#web/ui/icons/icons.tsx'
import { Panel } from '#web/ui/panel/panel.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'
import { ContactForm } from './contact-form.tsx'
import styles from './customer.module.css'

type ContactCardProps = { customer: Customer; mayEdit: boolean }

/** The customer's contact details, and figures of their bookings and payments. */
export function ContactCard({ customer, mayEdit }: ContactCardProps) {
  const { email, mobile, bookings, paid, paidBack, isBlocked, isDeleted, isErased } = customer
  const [isEdited, setEdited] = useState(false)
  const isPart = Boolean(useSession()?.locations)
  const toBookings = (filter: Record<string, string>) => pathOf(PAGE.bookings, { user: customer._id, ...filter })
  return (
    <Panel
      title="Contact"
      action={
        <div className={styles.cardAction}>
          <StatusChip tone={isBlocked || isDeleted ? 'red' : 'green'}>
            {isErased ? 'Erased' : isDeleted ? 'Deleted' : isBlocked ? 'Inactive' : 'active'}
          </StatusChip>
          {mayEdit && (
            <Button size="small" icon={<IconPencil size={14} />} onClick={() => setEdited(true)}>
              Edit contact
            </Button>
          )}
        </div>
      }
    >
      {customer.blocked && <BlockedNote blocked={customer.blocked} />}
      <Facts>
        <Fact name="Email">{email ? <MailLink email={email} /> : 'N/A'}</Fact>
        <Fact name="Mobile">{mobile ? <a href={toPhoneLink(mobile)}>{mobile}</a> : 'N/A'}</Fact>
        <Fact name="Role">{customer.role || 'N/A'}</Fact>
        <Fact name="Customer since">{toBusinessTime(customer.createdAt).date}</Fact>
        <Fact name="User id">
          <CopyId id={customer._id} />
        </Fact>
      </Facts>
      {(bookings || paid !== null) && (
        <dl className={styles.figures}>
          {bookings && (
            <>
              <Figure label="Upcoming" value={toCountText(bookings.upcoming)} />
              <Figure label="Past" value={toCountText(bookings.past)} />
              <Figure
                label="Cancelled"
                value={toCountText(bookings.cancelled)}
                href={bookings.cancelled > 0 && toBookings({ status: 'Cancelled' })}
              />
              <Figure
                label="No-shows"
                value={toCountText(bookings.noShows)}
                href={bookings.noShows > 0 && toBookings({ when: 'no-show' })}
              />
            </>
          )}
          {paid !== null && <Figure label="Paid" value={toMoneyText(paid)} />}
          {paidBack !== null && paidBack > 0 && <Figure label="Paid back" value={toMoneyText(paidBack)} />}
        </dl>
      )}
      {isPart && <p className={styles.part}>Bookings and payments are those at your locations.</p>}
      {isEdited && <ContactForm customer={customer} onClose={() => setEdited(false)} />}
    </Panel>
  )
}

type FigureProps = {
  label: string
  value: string
  /** Leads to what the figure counts. */
  href?: string | false
}

function Figure({ label, value, href = false }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {href === false ? (
          value
        ) : (
          <RecordLink href={href} aria-label={`${label}: ${value}`}>
            {value}
          </RecordLink>
        )}
      </dd>
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
