import type { LocationListItem } from '#contract/locations.ts'
import { PAGE } from '#contract/pages.ts'
import { useSession } from '#web/api/session.ts'
import { DeleteDialog } from '#web/components/record-list/delete-dialog.tsx'
import { toCounted } from '#web/lib/format.ts'
import { Link } from '#web/lib/link.tsx'
import { pathOf } from '#web/paths.ts'
import { MessageDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'

type DeleteLocationProps = { location: LocationListItem; onClose: () => void }

/** Asks before deleting a location, or says why it cannot be deleted: it has pods (rules §6.5). */
export function DeleteLocation({ location, onClose }: DeleteLocationProps) {
  if (location.podCount > 0) return <HasPods location={location} onClose={onClose} />
  return (
    <DeleteDialog
      domain="locations"
      id={location._id}
      title="Delete location"
      confirmLabel="Yes"
      cancelLabel="No"
      consequence={`“${location.name}” has no pods. It disappears from every list; past bookings keep its name.`}
      onClose={onClose}
    >
      Are you sure you want to delete this location?
    </DeleteDialog>
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
