import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '#web/api/query.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { SkeletonFields } from '#web/ui/skeleton/skeleton.tsx'
import { Unloaded } from '../unloaded.tsx'
import { CancelDialog } from './cancel-dialog.tsx'

/** Cancels a booking from a list row: loads what the cancellation gives back now before it opens the dialog. */
export function CancelBooking({ bookingId, onClose }: { bookingId: string; onClose: () => void }) {
  const query = useQuery(apiQuery('bookingActions', 'get', { params: { id: bookingId } }))
  if (query.data && query.isFetchedAfterMount) return <CancelDialog booking={query.data.data} onClose={onClose} />
  return (
    <Dialog title="Cancel booking" width={500} onClose={onClose}>
      <Unloaded query={query}>
        <SkeletonFields count={4} />
      </Unloaded>
    </Dialog>
  )
}
