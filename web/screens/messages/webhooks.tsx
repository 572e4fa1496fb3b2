import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Webhook } from '#contract/webhooks.ts'
import { api } from '#web/api/client.ts'
import { useMay } from '#web/api/may.ts'
import { apiQuery } from '#web/api/query.ts'
import { CallButton } from '#web/components/call-button.tsx'
import { toEventsText } from '#web/components/event-words.ts'
import { showFailedAction } from '#web/components/failed-action.ts'
import { DeleteDialog } from '#web/components/record-list/delete-dialog.tsx'
import { statusColumn } from '#web/components/record-list/record-columns.tsx'
import { RecordDialogs, useRecordDialogs } from '#web/components/record-list/record-dialogs.tsx'
import { ShownOnce } from '#web/components/shown-once.tsx'
import { showChanged } from '#web/components/undo.ts'
import type { Column, RowAction } from '#web/ui/data-table/data-table-columns.ts'
import { DataTable } from '#web/ui/data-table/data-table.tsx'
import { DialogOutlet, useDialogs } from '#web/ui/dialog/dialog-outlet.tsx'
import { IconLock, IconLockOpen, IconPlus } from '#web/ui/icons/icons.tsx'
import { Panel } from '#web/ui/panel/panel.tsx'
import { toProblem } from '#web/ui/problem.ts'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'
import { Deliveries } from './deliveries.tsx'
import { WebhookForm } from './webhook-form.tsx'

const columns: readonly Column<Webhook>[] = [
  { key: 'url', header: 'URL', minWidth: 220, wraps: true, text: ({ url }) => url, phone: 'title' },
  { key: 'events', header: 'Events', minWidth: 220, wraps: true, text: ({ events }) => toEventsText(events) },
  statusColumn<Webhook>({
    tone: ({ isEnabled }) => (isEnabled ? 'green' : 'grey'),
    words: ({ isEnabled }) => (isEnabled ? 'Active' : 'Off'),
  }),
]

/** The webhooks, and their deliveries (rules §21.11). */
export function Webhooks() {
  const webhooks = useQuery(apiQuery('webhooks', 'list'))
  const queryClient = useQueryClient()
  const records = useRecordDialogs<Webhook>('webhook', toUrl)
  const secrets = useDialogs<string>()
  const toggle = useToggle()
  const mayChange = useMay().changeRecords('webhook')
  const add = (
    <CallButton call="webhooks.create" size="small" icon={<IconPlus size={14} />} onClick={records.create}>
      Add Webhook
    </CallButton>
  )

  const reload = () =>
    Promise.all(['webhooks', 'deliveries'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))

  return (
    <>
      <Panel title="Webhooks" action={add} flush>
        <DataTable
          label="Webhooks"
          columns={columns}
          rows={webhooks.data?.data}
          rowKey={({ _id }) => _id}
          rowName={toUrl}
          rowActions={(webhook) => [
            { ...toggle.toAction(webhook), hidden: !mayChange },
            { ...records.toEditAction(webhook), hidden: !mayChange },
            records.toHistoryAction(webhook),
            records.toDeleteAction(webhook, 'webhooks.delete'),
          ]}
          skeletonRows={2}
          problem={webhooks.error && toProblem(webhooks.error)}
          onRetry={() => void webhooks.refetch()}
          empty={<EmptyState>No other system is notified of changes yet.</EmptyState>}
        />
      </Panel>
      <Deliveries webhooks={webhooks.data?.data ?? []} />
      <RecordDialogs
        dialogs={records.dialogs}
        renderForm={(webhook, onClose) => <WebhookForm webhook={webhook} onSecret={secrets.show} onClose={onClose} />}
        renderDeletion={(webhook, onClose) => (
          <DeleteDialog
            domain="webhooks"
            id={webhook._id}
            version={webhook.version}
            title="Delete webhook"
            consequence="Nothing more is sent to it, and its deliveries are no longer listed."
            reload={reload}
            onClose={onClose}
          >
            Delete the webhook to {webhook.url}?
          </DeleteDialog>
        )}
      />
      <DialogOutlet dialogs={secrets}>
        {(secret) => (
          <ShownOnce label="Signing secret" text={secret} onClose={secrets.close}>
            Give this to the receiver, which uses it to check that requests come from here.
          </ShownOnce>
        )}
      </DialogOutlet>
    </>
  )
}

function toUrl({ url }: Webhook): string {
  return url
}

/** Switches webhooks off and on. */
function useToggle() {
  const queryClient = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ _id, version, isEnabled }: Webhook) =>
      api('webhooks', 'update', { params: { id: _id }, version, body: { isEnabled: !isEnabled } }),
    onSuccess: (response) =>
      showChanged(response.data.isEnabled ? 'Webhook switched on' : 'Webhook switched off', response),
    onError: (error, webhook) => showFailedAction(error, () => mutate(webhook), { recordId: webhook._id }),
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
