import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Webhook } from '#contract/webhooks.ts'
import { api } from '#web/api/client.ts'
import { useMay } from '#web/api/may.ts'
import { apiQuery } from '#web/api/query.ts'
import { CallButton } from '#web/components/call-button.tsx'
import { HistoryDialog } from '#web/components/history/history-dialog.tsx'
import { orReload } from '#web/components/record-conflict.ts'
import { statusColumn } from '#web/components/record-list/record-columns.tsx'
import { ShownOnce } from '#web/components/shown-once.tsx'
import { showChanged } from '#web/components/undo.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog/confirm-dialog.tsx'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconHistory, IconLock, IconLockOpen, IconPencil, IconPlus, IconTrash } from '#web/ui/icons/icons.tsx'
import { Panel } from '#web/ui/panel/panel.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { showFailure } from '#web/ui/toasts/toasts.ts'
import { Deliveries } from './deliveries.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { toEventsText } from './webhook-words.ts'

const columns: readonly Column<Webhook>[] = [
  { key: 'url', header: 'URL', minWidth: 220, wraps: true, text: ({ url }) => url, phone: 'title' },
  { key: 'events', header: 'Events', minWidth: 220, wraps: true, text: ({ events }) => toEventsText(events) },
  statusColumn<Webhook>({
    tone: ({ isEnabled }) => (isEnabled ? 'green' : 'grey'),
    words: ({ isEnabled }) => (isEnabled ? 'Active' : 'Off'),
  }),
]

type Shown =
  | { kind: 'edit' | 'history' | 'delete'; webhook: Webhook }
  | { kind: 'add' }
  | { kind: 'secret'; secret: string }

/** The webhooks, and their deliveries (rules §21.11). */
export function Webhooks() {
  const webhooks = useQuery(apiQuery('webhooks', 'list'))
  const dialogs = useDialogs<Shown>()
  const toggle = useToggle()
  const mayChange = useMay().changeRecords('webhook')
  const add = (
    <CallButton
      call="webhooks.create"
      size="small"
      icon={<IconPlus size={14} />}
      onClick={() => dialogs.show({ kind: 'add' })}
    >
      Add Webhook
    </CallButton>
  )

  return (
    <>
      <Panel title="Webhooks" action={add} flush>
        <DataTable
          label="Webhooks"
          columns={columns}
          rows={webhooks.data?.data}
          rowKey={({ _id }) => _id}
          rowName={({ url }) => url}
          rowActions={(webhook) => [
            { ...toggle.toAction(webhook), hidden: !mayChange },
            ...toActions(mayChange, (kind) => dialogs.show({ kind, webhook })),
          ]}
          skeletonRows={2}
          problem={webhooks.error && toProblem(webhooks.error)}
          onRetry={() => void webhooks.refetch()}
          empty={<EmptyState>No other system is notified of changes yet.</EmptyState>}
        />
      </Panel>
      <Deliveries webhooks={webhooks.data?.data ?? []} />
      <DialogOutlet dialogs={dialogs}>
        {(shown) => {
          const { close } = dialogs
          if (shown.kind === 'secret') {
            return (
              <ShownOnce label="Signing secret" text={shown.secret} onClose={close}>
                Give this to the receiver, which checks with it that calls are ours.
              </ShownOnce>
            )
          }
          if (shown.kind === 'history') {
            const { _id: id, url: name } = shown.webhook
            return <HistoryDialog of={{ entity: 'webhook', id, name }} onClose={close} />
          }
          if (shown.kind === 'delete') return <DeleteWebhook webhook={shown.webhook} onClose={close} />
          return (
            <WebhookForm
              webhook={shown.kind === 'edit' ? shown.webhook : undefined}
              onSecret={(secret) => dialogs.show({ kind: 'secret', secret })}
              onClose={close}
            />
          )
        }}
      </DialogOutlet>
    </>
  )
}

function toActions(mayChange: boolean, show: (kind: 'edit' | 'history' | 'delete') => void): RowAction[] {
  return [
    { label: 'Edit', icon: <IconPencil />, hidden: !mayChange, onSelect: () => show('edit') },
    { label: 'History', icon: <IconHistory />, onSelect: () => show('history') },
    { label: 'Delete', icon: <IconTrash />, danger: true, hidden: !mayChange, onSelect: () => show('delete') },
  ]
}

/** Switches webhooks off and on. */
function useToggle() {
  const queryClient = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ _id, version, isEnabled }: Webhook) =>
      api('webhooks', 'update', { params: { id: _id }, version, body: { isEnabled: !isEnabled } }),
    onSuccess: (response) =>
      showChanged(response.data.isEnabled ? 'Webhook switched on' : 'Webhook switched off', response),
    onError: (error) => showFailure(error.message, toProblem(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['webhooks'] }),
  })
  return {
    toAction: (webhook: Webhook): RowAction => ({
      label: webhook.isEnabled ? 'Switch off' : 'Switch on',
      icon: webhook.isEnabled ? <IconLock /> : <IconLockOpen />,
      loading: isPending && variables._id === webhook._id,
      onSelect: () => mutate(webhook),
    }),
  }
}

function DeleteWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const queryClient = useQueryClient()

  async function deleteWebhook() {
    const { _id, version } = webhook
    const reload = () =>
      Promise.all(['webhooks', 'deliveries'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
    showChanged('Webhook deleted', await orReload(api('webhooks', 'delete', { params: { id: _id }, version }), reload))
    await reload()
  }

  return (
    <ConfirmDialog
      title="Delete webhook"
      danger
      confirmLabel="Delete"
      consequence="It is told of nothing more, and its deliveries are no longer listed."
      onConfirm={deleteWebhook}
      onClose={onClose}
    >
      Delete the webhook to {webhook.url}?
    </ConfirmDialog>
  )
}
