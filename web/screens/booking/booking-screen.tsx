import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { apiQuery } from '#web/api/query.ts'
import { BookingView } from '#web/components/booking/booking-view.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Page } from '#web/ui/panel/panel.tsx'
import styles from './booking-screen.module.css'

/** /booking/:id: all about one booking (rules §27.9). */
export function BookingScreen() {
  const { id = '' } = useParams({ strict: false })
  const booking = useQuery(apiQuery('bookingActions', 'get', { params: { id } })).data?.data
  useDocumentTitle(booking ? `${booking.podTitle}, ${booking.bookingDate}` : 'Booking')
  return (
    <Page>
      <PageHeader title="Booking" />
      <div className={styles.card}>
        <BookingView bookingId={id} />
      </div>
    </Page>
  )
}
