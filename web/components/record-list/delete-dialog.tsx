import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '#web/api/client.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { showChanged } from '../undo.ts'
import { type BookingOwners, UpcomingBookings } from './upcoming-bookings.tsx'

type DeleteDialogProps = {
  domain: 'features' | 'rolePresets' | BookingOwners
  id: string
  /** As it was seen; left out where older clients leave it out too. */
  version?: number
  /** 'Delete pod' */
  title: string
  /** The question. */
  children: ReactNode
  /** What follows; of a record with bookings, how many are still to come is said after it. */
  consequence: ReactNode
  confirmLabel?: string
  cancelLabel?: string
  /** Said afterwards; without it, what the server says. */
  success?: string
  /** Instead of asking for all that is known of the domain again. */
  reload?: () => unknown
  onClose: () => void
}

/** Asks, deletes, says so and reloads; a failure is said in the dialog, which then stays. */
export function DeleteDialog(props: DeleteDialogProps) {
  const {
    domain,
    id,
    version,
    title,
    children,
    consequence,
    confirmLabel = 'Delete',
    cancelLabel = 'Cancel',
    onClose,
  } = props
  const queryClient = useQueryClient()
  const { success, reload = () => queryClient.invalidateQueries({ queryKey: [domain] }) } = props

  async function deleteRecord() {
    const response = await api(domain, 'delete', { params: { id }, version })
    showChanged(success ?? response.data.message, response)
    await reload()
  }

  return (
    <ConfirmDialog
      title={title}
      danger
      confirmLabel={confirmLabel}
      cancelLabel={cancelLabel}
      consequence={
        domain === 'features' || domain === 'rolePresets' ? (
          consequence
        ) : (
          <>
            {consequence} <UpcomingBookings owners={domain} id={id} />
          </>
        )
      }
      onConfirm={deleteRecord}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  )
}
