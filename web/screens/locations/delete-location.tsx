import type { LocationListItem } from '#contract/locations.ts'
import { PAGE } from '#contract/pages.ts'
import { api } from '#web/api/client.ts'
import { useSession } from '#web/api/session.ts'
import { UpcomingBookings } from '#web/components/upcoming-bookings.tsx'
import { toCounted } from '#web/lib/format.ts'
import { Link } from '#web/lib/link.tsx'
import { pathOf } from '#web/paths.ts'
import { ConfirmDialog, MessageDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { showSuccess } from '#web/ui/toasts/toasts.ts'

type DeleteLocationProps = { location: LocationListItem; onDeleted: () => void; onClose: () => void }

/** Asks, or says why there is nothing to ask yet: a location that has pods stays (rules §6.5). */
export function DeleteLocation({ location, onDeleted, onClose }: DeleteLocationProps) {
  async function deleteLocation() {
    await api('locations', 'delete', { params: { id: location._id } })
    showSuccess('Location deleted successfully')
    onDeleted()
  }

  if (location.podCount > 0) return <HasPods location={location} onClose={onClose} />
  return (
    <ConfirmDialog
      title="Delete location"
      danger
      confirmLabel="Yes"
      cancelLabel="No"
      consequence={
        <>
          “{location.name}” has no pods. It disappears from every list; past bookings keep its name.{' '}
          <UpcomingBookings owners="locations" id={location._id} />
        </>
      }
      onConfirm={deleteLocation}
      onClose={onClose}
    >
      Are you sure you want to delete this location?
    </ConfirmDialog>
  )
}

function HasPods({ location, onClose }: { location: LocationListItem; onClose: () => void }) {
  const mayOpenPods = useSession()?.pages.includes(PAGE.pods) ?? false
  const pods = toCounted(location.podCount, 'pod', 'pods')
  return (
    <MessageDialog title="Delete location" onClose={onClose}>
      <p>
        “{location.name}” has {pods} and cannot be deleted yet. Move or delete {location.podCount === 1 ? 'it' : 'them'}{' '}
        first.
      </p>
      {mayOpenPods && (
        <p>
          <Link href={pathOf(PAGE.pods, { location: location._id })}>Show {pods} of this location</Link>
        </p>
      )}
    </MessageDialog>
  )
}
