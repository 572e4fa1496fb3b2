import { DeleteDialog } from './record-list/delete-dialog.tsx'

type DeleteCustomerProps = { id: string; name: string; onClose: () => void }

/** Asks whether to delete a customer (rules §8.3). */
export function DeleteCustomer({ id, name, onClose }: DeleteCustomerProps) {
  return (
    <DeleteDialog
      domain="users"
      id={id}
      title="Delete user"
      consequence="The user can no longer sign in and is gone from all lists. Past bookings and transactions keep the name. The personal data stay until you erase them, on the page of the deleted user."
      onClose={onClose}
    >
      Are you sure you want to delete {name}?
    </DeleteDialog>
  )
}
