import { useState } from 'react'
import type { BookingDetails } from '#contract/bookings.ts'
import { PAGE } from '#contract/pages.ts'
import { useMay } from '#web/api/may.ts'
import { getUserId, useSession } from '#web/api/session.ts'
import { CancelBooking } from '#web/components/booking/cancel-booking.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { IconCalendarX, IconDownload, IconPrinter } from '#web/ui/icons/icons.tsx'
import { showFailure } from '#web/ui/toasts/toasts.ts'
import { downloadCode } from './download-code.ts'

/** Print, Download PNG and, if the booking is not over and the person may, Cancel booking. */
export function TicketActions({ booking }: { booking: BookingDetails }) {
  const [drawing, setDrawing] = useState(false)
  const [cancelling, setCancelling] = useState(false)
  const may = useMay()
  const session = useSession()
  // Without Booking one sees only the bookings that one made, for oneself or for somebody else.
  const isOwn = !session?.pages.includes(PAGE.bookings)
  const isCancellable = booking.isBookingActive && may.changeBooking([isOwn ? getUserId(session) : booking.user])

  async function download() {
    setDrawing(true)
    try {
      await downloadCode(booking.qrText, `booking-${booking._id}.png`)
    } catch {
      showFailure('The picture of the code could not be made.', { retry: () => void download() })
    } finally {
      setDrawing(false)
    }
  }

  return (
    <>
      {isCancellable && (
        <Button icon={<IconCalendarX size={16} />} onClick={() => setCancelling(true)}>
          Cancel booking
        </Button>
      )}
      <Button icon={<IconDownload size={16} />} loading={drawing} onClick={() => void download()}>
        Download PNG
      </Button>
      <Button variant="primary" icon={<IconPrinter size={16} />} onClick={() => window.print()}>
        Print
      </Button>
      {cancelling && <CancelBooking bookingId={booking._id} onClose={() => setCancelling(false)} />}
    </>
  )
}
