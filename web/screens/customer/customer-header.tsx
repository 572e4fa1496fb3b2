import { useQuery, useQueryClient } from '@tanstack/react-query'
import { PAGE } from '#contract/pages.ts'
import type { Customer } from '#contract/users.ts'
import { api } from '#web/api/client.ts'
import { useMay } from '#web/api/may.ts'
import { useSession } from '#web/api/session.ts'
import { DeleteCustomer } from '#web/components/delete-customer.tsx'
import { HistoryDialog } from '#web/components/history/history-dialog.tsx'
import { orReload } from '#web/components/record-conflict.ts'
import { Uncounted, UpcomingBookings } from '#web/components/record-list/upcoming-bookings.tsx'
import { useBlockToggle } from '#web/components/record-list/use-block-toggle.tsx'
import { restoreRecord } from '#web/components/undo.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { toCounted } from '#web/lib/format.ts'
import { Link, useCameFrom, useGoTo } from '#web/lib/link.tsx'
import { pathOf } from '#web/paths.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { TextAreaField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import {
  IconArrowBackUp,
  IconArrowLeft,
  IconHistory,
  IconLock,
  IconLockOpen,
  IconPlus,
  IconTrash,
} from '#web/ui/icons/icons.tsx'
import { PageHeader } from '#web/ui/page-header/page-header.tsx'
import { showSuccess } from '#web/ui/toasts/toasts.ts'

/** The customer's name and the actions on them. */
export function CustomerHeader({ customer, name }: { customer: Customer; name: string }) {
  const may = useMay()
  const holdsUsers = useSession()?.pages.includes(PAGE.users) ?? false
  const mayRestore = may.restoreRecords('customer')
  const mayErase = may.call('users.erase') && customer.isDeleted && !customer.isErased
  const mayBlock = may.call('users.block')
  const mayDelete = may.call('users.delete')
  const mayBook = may.call('bookings.createFor') && !customer.isBlocked && !customer.isDeleted
  const dialogs = useDialogs<'history' | 'block' | 'delete' | 'erase'>()
  const { toggle } = useBlockToggle('users')
  const goTo = useGoTo()
  const cameFrom = useCameFrom()
  const list = pathOf(holdsUsers ? PAGE.users : PAGE.bookings)

  return (
    <>
      <PageHeader
        title={name}
        action={
          mayBook && (
            <Button
              variant="primary"
              icon={<IconPlus size={16} />}
              onClick={() => goTo(pathOf(PAGE.corporateBooking, { customer: customer._id }))}
            >
              Book for {customer.firstname || name}
            </Button>
          )
        }
        secondaryActions={
          <>
            <Button icon={<IconArrowLeft size={16} />} onClick={() => goTo(cameFrom ?? list)}>
              Back
            </Button>
            {holdsUsers && (
              <Button icon={<IconHistory size={16} />} onClick={() => dialogs.show('history')}>
                History
              </Button>
            )}
            {mayRestore && customer.isDeleted && !customer.isErased && (
              <Button
                icon={<IconArrowBackUp size={16} />}
                onClick={() => void restoreRecord('customer', customer._id, name)}
              >
                Restore
              </Button>
            )}
            {mayErase && (
              <Button icon={<IconTrash size={16} />} onClick={() => dialogs.show('erase')}>
                Erase personal data
              </Button>
            )}
            {mayBlock && !customer.isDeleted && (
              <Button
                icon={customer.isBlocked ? <IconLockOpen size={16} /> : <IconLock size={16} />}
                onClick={() => (customer.isBlocked ? toggle(customer) : dialogs.show('block'))}
              >
                {customer.isBlocked ? 'Unblock' : 'Block'}
              </Button>
            )}
            {mayDelete && !customer.isDeleted && (
              <Button icon={<IconTrash size={16} />} onClick={() => dialogs.show('delete')}>
                Delete
              </Button>
            )}
          </>
        }
      />
      <DialogOutlet dialogs={dialogs}>
        {(shown) =>
          shown === 'history' ? (
            <HistoryDialog of={{ entity: 'customer', id: customer._id, name }} onClose={dialogs.close} />
          ) : shown === 'delete' ? (
            <DeleteCustomer id={customer._id} name={name} onClose={dialogs.close} />
          ) : shown === 'erase' ? (
            <EraseDialog customer={customer} name={name} onClose={dialogs.close} />
          ) : (
            <BlockDialog customer={customer} name={name} onClose={dialogs.close} />
          )
        }
      </DialogOutlet>
    </>
  )
}

type CustomerDialogProps = { customer: Customer; name: string; onClose: () => void }

function BlockDialog({ customer, name, onClose }: CustomerDialogProps) {
  const { form, modal } = useFormDialog({
    initialValues: { reason: '' },
    save: ({ reason }) => api('users', 'block', { params: { id: customer._id }, body: { reason } }),
    domain: 'users',
    onClose,
  })
  return (
    <FormModal title={`Block ${name}`} submitLabel="Block" {...modal}>
      <p>
        The customer can no longer sign in. Bookings stay. <UpcomingBookings owners="users" id={customer._id} />
      </p>
      <TextAreaField
        label="Reason"
        hint="Colleagues see it on this page and in the history."
        {...form.getInputProps('reason')}
      />
    </FormModal>
  )
}

function EraseDialog({ customer, name, onClose }: CustomerDialogProps) {
  const queryClient = useQueryClient()
  const seesBookings = useSession()?.pages.includes(PAGE.bookings) ?? false

  async function erase() {
    const reload = () => queryClient.invalidateQueries()
    const { data } = await orReload(api('users', 'erase', { params: { id: customer._id } }), reload)
    showSuccess(data.message, { recordId: customer._id })
    await reload()
  }

  return (
    <ConfirmDialog
      title="Erase personal data"
      danger
      confirmLabel="Erase"
      consequence="The name, email address, phone number and notes, the notes on the bookings and the details of cancellations, and the messages about them are erased for good. Bookings and payments stay, without a name. The history no longer shows what it has recorded about the customer."
      onConfirm={erase}
      onClose={onClose}
    >
      Are you sure you want to erase the personal data of {name}? This cannot be undone.
      {seesBookings && <OpenRefunds customerId={customer._id} />}
    </ConfirmDialog>
  )
}

/** Warns that money is still to be given back: once the customer is erased, nobody can be asked where to. */
function OpenRefunds({ customerId }: { customerId: string }) {
  const filter = { user: customerId, balance: 'refund' } as const
  const query = useQuery({
    queryKey: ['open-refunds', customerId],
    queryFn: ({ signal }) => api('bookings', 'list', { query: { ...filter, page: 1, limit: 1 }, signal }),
    gcTime: 0,
  })
  const count = query.data?.total ?? 0
  return (
    <p aria-live="polite">
      {query.error && <Uncounted query={query}>Whether money is to be given back could not be loaded.</Uncounted>}
      {count > 0 && (
        <>
          <strong>Money is still to be given back for {toCounted(count, 'booking', 'bookings')}.</strong> Afterwards,
          nobody can tell to whom. <Link href={pathOf(PAGE.bookings, filter)}>Show {count === 1 ? 'it' : 'them'}</Link>
        </>
      )}
    </p>
  )
}
