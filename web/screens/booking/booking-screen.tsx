import { useParams } from '@tanstack/react-router'
import { BookingView } from '#web/components/booking/booking-view.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { Page } from '#web/ui/panel/panel.tsx'
import styles from './booking-screen.module.css'

/** /booking/:id: all about one booking (rules §27.9). */
export function BookingScreen() {
  const { id = '' } = useParams({ strict: false })
  useDocumentTitle('Booking')
  return (
    <Page>
      <PageHeader title="Booking" />
      <div className={styles.card}>
        <BookingView bookingId={id} />
      </div>
    </Page>
  )
}
