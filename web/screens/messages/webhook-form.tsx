import { useQueryClient } from '@tanstack/react-query'
import type { Webhook } from '#contract/webhooks.ts'
import { submit } from '#web/api/check-body.ts'
import type { ApiResponse } from '#web/api/request-types.ts'
import { eventGroups, toEventsText } from '#web/components/event-words.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { CheckboxGroup } from '#web/ui/checkbox-group/checkbox-group.tsx'
import { TextField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'

type WebhookFormProps = {
  /** The webhook to edit; undefined to add one. */
  webhook: Webhook | undefined
  /** Called with the secret of a new webhook, which the server gives only once. */
  onSecret: (secret: string) => void
  onClose: () => void
}

const toValues = (webhook: Webhook | undefined) => ({ url: webhook?.url ?? '', events: webhook?.events ?? [] })

/** Modals 'Add Webhook' and 'Edit Webhook' (rules §21.11). */
export function WebhookForm({ webhook, onSecret, onClose }: WebhookFormProps) {
  const queryClient = useQueryClient()
  const { form, modal } = useFormDialog({
    initialValues: toValues(webhook),
    edits: { entity: 'webhook', id: webhook?._id },
    edited: webhook && {
      record: webhook,
      toValues,
      toStored: ({ url, events }) => ({ url, events: events.toSorted() }),
      labels: { url: 'URL', events: 'Events' },
      show: (name, { events }) => (name === 'events' ? toEventsText(events) : undefined),
    },
    save: (body, version): Promise<ApiResponse<Webhook & { secret?: string }>> =>
      webhook
        ? submit('webhooks', 'update', { params: { id: webhook._id }, version, body })
        : submit('webhooks', 'create', { body }),
    success: webhook ? 'Webhook updated' : 'Webhook added',
    domain: 'webhooks',
    // Deliveries are listed with the URL.
    onSaved: () => void queryClient.invalidateQueries({ queryKey: ['deliveries'] }),
    onClose,
    afterClose: ({ secret }) => secret !== undefined && onSecret(secret),
  })
  const { events } = form.values

  return (
    <FormModal
      title={webhook ? 'Edit Webhook' : 'Add Webhook'}
      submitLabel={webhook ? 'Save changes' : 'Add Webhook'}
      {...modal}
    >
      <TextField
        label="URL"
        type="url"
        inputMode="url"
        required
        hint="Changes are posted here, signed according to Standard Webhooks."
        {...form.getInputProps('url')}
      />
      {eventGroups.map((group, index) => (
        <CheckboxGroup
          key={group.all}
          label={group.name}
          columns={3}
          options={[
            { value: group.all, label: 'all' },
            ...group.events.map(({ event, word }) => ({
              value: event,
              label: word,
              disabled: events.includes(group.all),
            })),
          ]}
          value={events}
          error={index === 0 && form.errors.events}
          onChange={(chosen) =>
            form.setFieldValue('events', [
              ...events.filter((event) => event !== group.all && group.events.every((one) => one.event !== event)),
              ...(chosen.includes(group.all) ? [group.all] : chosen),
            ])
          }
        />
      ))}
    </FormModal>
  )
}
