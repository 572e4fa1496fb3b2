import { useQuery } from '@tanstack/react-query'
import { PAGE } from '#contract/pages.ts'
import { ApiError } from '#web/api/api-error.ts'
import { apiQuery } from '#web/api/query.ts'
import { useSession } from '#web/api/session.ts'
import { Unloaded } from '#web/components/unloaded.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { Link, useCameFrom, useGoTo } from '#web/lib/link.tsx'
import { textParam, useUrlState } from '#web/lib/url-state.ts'
import { bookingPath, pathOf } from '#web/paths.ts'
import { Button, LinkButton } from '#web/ui/button/button.tsx'
import { IconArrowLeft, IconCalendar } from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Page } from '#web/ui/panel/panel.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { BookingTicket } from './booking-ticket.tsx'
import { TicketActions } from './ticket-actions.tsx'
import { TicketSkeleton } from './ticket-skeleton.tsx'

const params = { bookingId: textParam() }

/** /qr?bookingId=: a booking's code and details (rules §4.16). */
export function QrScreen() {
  useDocumentTitle('Booking code')
  const [{ bookingId }] = useUrlState(params)
  const query = useQuery({
    ...apiQuery('bookings', 'get', { params: { id: bookingId } }),
    enabled: bookingId !== '',
  })
  const goTo = useGoTo()
  const holdsBookings = useSession()?.pages.includes(PAGE.bookings) ?? false
  const cameFrom = useCameFrom()
  const list = pathOf(holdsBookings ? PAGE.bookings : PAGE.corporateBooking)
  const back = (
    <Button
      icon={<IconArrowLeft size={16} />}
      // Returns to the list with its filter and page.
      onClick={() => goTo(cameFrom?.startsWith(`${list}?`) ? cameFrom : list)}
    >
      Back to bookings
    </Button>
  )
  const booking = query.data?.data
  const isUnknown = query.error instanceof ApiError && query.error.status === 404

  return (
    <Page>
      <PageHeader
        title="Booking code"
        secondaryActions={
          <>
            {back}
            {booking && (
              <LinkButton as={Link} href={bookingPath(booking._id)} icon={<IconCalendar size={16} />}>
                Open booking
              </LinkButton>
            )}
            {booking && booking.status !== 'Cancelled' && <TicketActions booking={booking} />}
          </>
        }
      />
      {bookingId === '' ? (
        <EmptyState framed>No booking was named. Open a booking’s code from the list of bookings.</EmptyState>
      ) : isUnknown ? (
        <EmptyState framed>
          There is no booking with the id {bookingId}. Check the link, or look for it in the list.
        </EmptyState>
      ) : (
        <>
          <Unloaded query={query} framed title="The booking could not be loaded">
            {!booking && <TicketSkeleton />}
          </Unloaded>
          {booking && <BookingTicket booking={booking} />}
        </>
      )}
    </Page>
  )
}
