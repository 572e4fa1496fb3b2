import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookingListItem } from '#contract/bookings.ts'
import { api } from '#web/api/client.ts'
import { toWallTimeRange } from '#web/lib/format.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { IconCalendarX } from '#web/ui/icons/icons.tsx'
import { cancelSeries, type Scope, SeriesScope } from './series-scope.tsx'
import { showChanged } from './undo.ts'

/** Asks first, and says what follows; wherever a booking can be cancelled. */
export function CancelBooking({ booking, onClose }: { booking: BookingListItem; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [scope, setScope] = useState<Scope>('this')
  const { seriesId } = booking

  async function cancelBooking() {
    const response =
      seriesId === null || scope === 'this'
        ? await api('bookings', 'cancel', { params: { id: booking._id } })
        : await cancelSeries(seriesId, booking._id, scope)
    showChanged(response.data.message, response)
    await queryClient.invalidateQueries({ queryKey: ['bookings'] })
  }

  return (
    <ConfirmDialog
      title="Cancel booking"
      danger
      confirmLabel="Cancel booking"
      cancelLabel="Keep booking"
      icon={<IconCalendarX size={16} />}
      consequence="The time becomes free for others at once."
      onConfirm={cancelBooking}
      onClose={onClose}
    >
      Cancel the booking of {booking.podTitle} on {booking.bookingDate}, {toWallTimeRange(booking)}, for{' '}
      {booking.username}?{seriesId !== null && <SeriesScope value={scope} onChange={setScope} />}
    </ConfirmDialog>
  )
}
