import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { toFullName } from '#contract/full-name.ts'
import { PAGE } from '#contract/pages.ts'
import { ApiError } from '#web/api/api-error.ts'
import { useMay } from '#web/api/may.ts'
import { apiQuery } from '#web/api/query.ts'
import { useSession } from '#web/api/session.ts'
import { Unloaded } from '#web/components/unloaded.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { Link } from '#web/lib/link.tsx'
import { pathOf } from '#web/paths.ts'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Page, Panel } from '#web/ui/panel/panel.tsx'
import { Skeleton, SkeletonLines } from '#web/ui/skeleton/skeleton.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { useHasUnsaved } from '#web/ui/unsaved.ts'
import { ContactCard } from './contact-card.tsx'
import { CustomerHeader } from './customer-header.tsx'
import { BookingsPanel, PaymentsPanel } from './customer-tables.tsx'
import styles from './customer.module.css'
import { NoteCard } from './note-card.tsx'

/** /user-details/:id: all about one customer (rules §31.1). */
export function CustomerScreen() {
  const { id = '' } = useParams({ strict: false })
  const query = useQuery(apiQuery('users', 'customer', { params: { id } }))
  const pages = useSession()?.pages ?? []
  const may = useMay()
  const isTyping = useHasUnsaved()
  // Also one that was shown until their only booking here went to a location that the person does not have, unless what
  // they have typed would be lost.
  const isUnknown = query.error instanceof ApiError && query.error.status === 404 && !(query.data && isTyping)
  const customer = isUnknown ? undefined : query.data?.data
  const mayEdit = may.changeRecords('customer') && !customer?.isDeleted
  const name = customer ? toFullName(customer) || customer.username : 'Customer'
  useDocumentTitle(name)

  const failure = (
    <Unloaded query={query} framed title="The customer could not be loaded">
      {null}
    </Unloaded>
  )
  if (!customer && query.error) {
    return (
      <Page>
        <PageHeader title={name} />
        {isUnknown ? (
          <EmptyState
            framed
            action={pages.includes(PAGE.users) && <Link href={pathOf(PAGE.users)}>All customers</Link>}
          >
            There is no customer with the id {id}. Check the link.
          </EmptyState>
        ) : (
          failure
        )}
      </Page>
    )
  }
  return (
    <Page>
      {customer ? (
        <CustomerHeader customer={customer} name={name} />
      ) : (
        <PageHeader title={name} secondaryActions={<ActionsSkeleton holdsUsers={pages.includes(PAGE.users)} />} />
      )}
      {failure}
      <div className={styles.layout}>
        <div className={styles.side}>
          {customer ? (
            <>
              <ContactCard customer={customer} mayEdit={mayEdit} />
              <NoteCard customer={customer} mayEdit={mayEdit} />
            </>
          ) : (
            <>
              <Panel title="Contact">
                <SkeletonLines count={8} />
              </Panel>
              <Panel title="Note">
                <SkeletonLines count={1} />
              </Panel>
            </>
          )}
        </div>
        <div className={styles.main}>
          {pages.includes(PAGE.bookings) && (
            <>
              <BookingsPanel title="Upcoming bookings" customerId={id} when="upcoming" empty="Nothing is booked." />
              <BookingsPanel title="Past and cancelled bookings" customerId={id} when="past" empty="None yet." />
            </>
          )}
          {pages.includes(PAGE.transactions) && <PaymentsPanel customerId={id} />}
        </div>
      </div>
    </Page>
  )
}

/** As wide as the buttons to come, which take two lines on a phone. */
function ActionsSkeleton({ holdsUsers }: { holdsUsers: boolean }) {
  const widths = holdsUsers ? ['4.875rem', '6rem', '5rem', '5.5rem', '8.5rem'] : ['4.875rem']
  return widths.map((width) => <Skeleton key={width} width={width} height="var(--control-height)" />)
}
