import { useBlocker } from '@tanstack/react-router'
import { Link } from '#web/lib/link.tsx'
import { bookingPath } from '#web/paths.ts'
import { LinkButton } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { IconExternalLink } from '#web/ui/icons/icons.tsx'
import { BookingView } from './booking-view.tsx'

/**
 * Shows a booking in a drawer over the screen it was opened from. The booking's own page shows the same. Back closes it,
 * as on a phone it looks like a screen.
 */
export function BookingDrawer({ bookingId, onClose }: { bookingId: string; onClose: () => void }) {
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK') return false
      onClose()
      return true
    },
    enableBeforeUnload: false,
  })
  return (
    <Dialog
      title="Booking"
      side
      width={500}
      onClose={onClose}
      footer={
        <LinkButton as={Link} href={bookingPath(bookingId)} icon={<IconExternalLink size={16} />}>
          Open as a page
        </LinkButton>
      }
    >
      <BookingView bookingId={bookingId} />
    </Dialog>
  )
}
