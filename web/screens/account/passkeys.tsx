import { useQuery } from '@tanstack/react-query'
import type { Passkey } from '#contract/passkeys.ts'
import { submit } from '#web/api/check-body.ts'
import { api } from '#web/api/client.ts'
import { addPasskey, hasPasskeys } from '#web/api/passkeys.ts'
import { apiQuery } from '#web/api/query.ts'
import { Unloaded } from '#web/components/unloaded.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { toMomentText, useBusinessDay } from '#web/lib/business-day.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { TextField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { IconFingerprint, IconPencil, IconTrash } from '#web/ui/icons/icons.tsx'
import { Panel } from '#web/ui/panel/panel.tsx'
import { SkeletonLines } from '#web/ui/skeleton/skeleton.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { showSuccess } from '#web/ui/toasts/toasts.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { refreshAfter } from './refresh-after.ts'

const columns: readonly Column<Passkey>[] = [
  { key: 'name', header: 'Name', minWidth: 180, wraps: true, phone: 'title', text: ({ name }) => name },
  { key: 'createdAt', header: 'Added', width: 200, text: ({ createdAt }) => toMomentText(createdAt) },
  {
    key: 'lastUsedAt',
    header: 'Last used',
    width: 200,
    text: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : toMomentText(lastUsedAt)),
  },
]

type Shown = 'add' | { recoveryCodes: readonly string[] } | { rename: Passkey } | { remove: Passkey }

/** The passkeys that sign in after the password, or in its place (rules §33.12). */
export function Passkeys() {
  const query = useQuery(apiQuery('passkeys', 'list'))
  const factor = useQuery(apiQuery('secondFactors', 'get')).data?.data
  const isLastFactor = factor !== undefined && !factor.isSetUp && factor.passkeys === 1
  const dialogs = useDialogs<Shown>()
  const toActions = (passkey: Passkey): RowAction[] => [
    { label: 'Rename', icon: <IconPencil />, onSelect: () => dialogs.show({ rename: passkey }) },
    {
      label: 'Remove',
      icon: <IconTrash />,
      danger: true,
      onSelect: () => dialogs.show({ remove: passkey }),
      unavailable:
        isLastFactor && factor.isRequired ? 'It is your only second factor, and everyone here needs one.' : undefined,
    },
  ]
  const add = hasPasskeys() && (
    <Button size="small" icon={<IconFingerprint size={14} />} onClick={() => dialogs.show('add')}>
      Add passkey
    </Button>
  )
  const passkeys = query.data?.data
  const today = useBusinessDay()

  return (
    <Panel title="Passkeys" flush={passkeys !== undefined} action={passkeys && add}>
      {passkeys ? (
        <DataTable
          key={today}
          label="Passkeys"
          columns={columns}
          rows={passkeys}
          rowKey={({ _id }) => _id}
          rowName={({ name }) => name}
          rowActions={toActions}
          empty={
            <EmptyState>
              {hasPasskeys()
                ? 'No passkey yet. With one you sign in by fingerprint, face or PIN, without typing a password.'
                : 'No passkey yet. Open the portal in a browser that has passkeys to add one.'}
            </EmptyState>
          }
        />
      ) : (
        <Unloaded query={query} title="Your passkeys could not be loaded">
          <SkeletonLines count={2} />
        </Unloaded>
      )}
      <DialogOutlet dialogs={dialogs}>
        {(shown) => {
          if (shown === 'add') {
            return <AddPasskey onCodes={(recoveryCodes) => dialogs.show({ recoveryCodes })} onClose={dialogs.close} />
          }
          if ('recoveryCodes' in shown) return <RecoveryCodes codes={shown.recoveryCodes} onClose={dialogs.close} />
          if ('rename' in shown) return <RenamePasskey passkey={shown.rename} onClose={dialogs.close} />
          return <RemovePasskey passkey={shown.remove} isLastFactor={isLastFactor} onClose={dialogs.close} />
        }}
      </DialogOutlet>
    </Panel>
  )
}

function AddPasskey({ onCodes, onClose }: { onCodes: (codes: readonly string[]) => void; onClose: () => void }) {
  const { form, modal } = useFormDialog({
    initialValues: { name: '' },
    save: ({ name }) => refreshAfter(addPasskey(name)),
    onClose,
    afterClose: ({ recoveryCodes }) => recoveryCodes && onCodes(recoveryCodes),
  })
  return (
    <FormModal title="Add a passkey" submitLabel="Add passkey" {...modal}>
      <p>
        Your phone, computer, security key or password manager makes it, and asks for your fingerprint, face or PIN when
        you use it. It signs you in after your password, or in its place.
      </p>
      <TextField
        label="Name"
        hint="So that you recognise it later. Without one, it is named after this browser."
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- what is typed into the dialog
        autoFocus
        {...form.getInputProps('name')}
      />
    </FormModal>
  )
}

function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { form, modal } = useFormDialog({
    initialValues: { name: passkey.name },
    save: (body) => submit('passkeys', 'update', { params: { id: passkey._id }, body }),
    domain: 'passkeys',
    onClose,
  })
  return (
    <FormModal title="Rename passkey" width={400} submitLabel="Save" {...modal}>
      <TextField label="Name" required {...form.getInputProps('name')} />
    </FormModal>
  )
}

type RemovePasskeyProps = { passkey: Passkey; isLastFactor: boolean; onClose: () => void }

function RemovePasskey({ passkey, isLastFactor, onClose }: RemovePasskeyProps) {
  const after = isLastFactor ? 'Your password alone signs you in then, and your recovery codes stop working. ' : ''
  return (
    <ConfirmDialog
      title="Remove passkey"
      consequence={`It can no longer be used to sign in. ${after}Delete it from the device or password manager that keeps it too.`}
      confirmLabel="Remove"
      danger
      icon={<IconTrash size={16} />}
      onConfirm={async () => {
        const { data } = await refreshAfter(api('passkeys', 'delete', { params: { id: passkey._id } }))
        showSuccess(data.message)
      }}
      onClose={onClose}
    >
      Remove {passkey.name}?
    </ConfirmDialog>
  )
}
