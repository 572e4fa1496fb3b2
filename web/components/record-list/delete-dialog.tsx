import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Endpoints } from '#contract/endpoints.ts'
import { api } from '#web/api/client.ts'
import type { Domain } from '#web/api/request-types.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { orReload } from '../record-conflict.ts'
import { showChanged } from '../undo.ts'
import { haveBookings, UpcomingBookings } from './upcoming-bookings.tsx'

/** The domains whose records can be deleted. */
type DeletableDomain = { [D in Domain]: Endpoints[D] extends { delete: unknown } ? D : never }[Domain]

type DeleteDialogProps = {
  domain: DeletableDomain
  id: string
  /** The version that was shown; left out for domains whose older clients do not send one. */
  version?: number
  /** 'Delete pod' */
  title: string
  /** The question. */
  children: ReactNode
  /** What will follow. For records that have bookings, the number of upcoming ones is added after it. */
  consequence: ReactNode
  confirmLabel?: string
  cancelLabel?: string
  danger?: boolean
  /** Replaces the default, which invalidates all queries of the domain. */
  reload?: () => unknown
  onClose: () => void
}

/**
 * Asks, deletes, shows the server's message in a toast and reloads. If deleting fails, the dialog stays open and says
 * why.
 */
export function DeleteDialog(props: DeleteDialogProps) {
  const queryClient = useQueryClient()
  const reloadDomain = () => queryClient.invalidateQueries({ queryKey: [props.domain] })
  const { domain, id, version, consequence, reload = reloadDomain, ...dialog } = props

  async function deleteRecord() {
    const response = await orReload(api(domain, 'delete', { params: { id }, version }), reload)
    showChanged(response.data.message, response)
    await reload()
  }

  return (
    <ConfirmDialog
      danger
      confirmLabel="Delete"
      {...dialog}
      consequence={
        haveBookings(domain) ? (
          <>
            {consequence} <UpcomingBookings owners={domain} id={id} />
          </>
        ) : (
          consequence
        )
      }
      onConfirm={deleteRecord}
    />
  )
}
